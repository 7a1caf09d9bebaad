//! How wasmtime is configured: what plugins need, and nothing else.

use wasmtime::{Config, Engine, InstanceAllocationStrategy, PoolingAllocationConfig, Result};

/// How instances get their memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allocation {
    /// From slots that are mapped once and reset by copy-on-write; starting a guest costs microseconds.
    Pooling,
    /// Mapped for each instance; for machines or containers with little address space.
    OnDemand,
}

/// Guests that may be alive at once. A run uses far fewer; a hundredfold `DaemonSet` stays below it, and
/// a host without this bound would map address space for ever.
const LIVE_COMPONENTS: u32 = 128;
/// Core instances of one component; interpreters linked from shared libraries need about forty.
const CORE_INSTANCES_PER_COMPONENT: u32 = 64;
/// Linear memories of one component.
const MEMORIES_PER_COMPONENT: u32 = 8;
/// Tables of one component.
const TABLES_PER_COMPONENT: u32 = 32;
/// Entries of one table. A guest that grows a table for ever is stopped here.
pub(super) const TABLE_ELEMENTS: usize = 200_000;
/// Bytes of one linear memory that the pool can hold at most; the limit of a plugin is far lower.
const MEMORY_CEILING: usize = 1 << 32;
/// Bytes of metadata of one instance; a component with 100,000 functions is refused by this.
const INSTANCE_METADATA: usize = 4 << 20;
/// Bytes of WebAssembly stack: what a guest's recursion may use before it traps.
const STACK: usize = 1 << 20;
/// Bytes of the native stack on which a guest and the host functions it calls run.
const ASYNC_STACK: usize = 2 << 20;

/// Builds an engine, with pooling if that is wanted and possible.
pub(super) fn build(wanted: Allocation) -> Result<(Engine, Allocation)> {
    if wanted == Allocation::Pooling {
        let mut configuration = common();
        configuration.allocation_strategy(InstanceAllocationStrategy::Pooling(pool()));
        match Engine::new(&configuration) {
            Ok(engine) => return Ok((engine, Allocation::Pooling)),
            Err(error) => tracing::warn!(
                error = format!("{error:#}"),
                "not enough address space for pooled instances; plugins start slower (see `ulimit -v`)"
            ),
        }
    }
    Ok((Engine::new(&common())?, Allocation::OnDemand))
}

/// Builds an engine that only compiles; its code runs in engines of both allocations.
pub(super) fn compile_only() -> Result<Engine> {
    Engine::new(&common())
}

fn common() -> Config {
    let mut configuration = Config::new();
    configuration
        .epoch_interruption(true)
        .max_wasm_stack(STACK)
        .async_stack_size(ASYNC_STACK)
        .memory_init_cow(true)
        .wasm_component_model(true)
        // Proposals that plugins do not need are attack surface in the compiler.
        .wasm_memory64(false)
        .wasm_relaxed_simd(false)
        .wasm_multi_memory(true)
        .wasm_tail_call(false)
        .wasm_custom_page_sizes(false)
        .wasm_wide_arithmetic(false);
    configuration
}

fn pool() -> PoolingAllocationConfig {
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(LIVE_COMPONENTS)
        .total_core_instances(LIVE_COMPONENTS * 8)
        .total_memories(LIVE_COMPONENTS * 2)
        .total_tables(LIVE_COMPONENTS * 4)
        .total_stacks(LIVE_COMPONENTS)
        .max_core_instances_per_component(CORE_INSTANCES_PER_COMPONENT)
        .max_memories_per_component(MEMORIES_PER_COMPONENT)
        .max_tables_per_component(TABLES_PER_COMPONENT)
        .table_elements(TABLE_ELEMENTS)
        .max_memory_size(MEMORY_CEILING)
        .max_component_instance_size(INSTANCE_METADATA)
        .max_core_instance_size(INSTANCE_METADATA);
    pool
}

#[cfg(test)]
mod tests {
    use std::hash::{DefaultHasher, Hash, Hasher};

    use super::*;

    fn hash(engine: &Engine) -> u64 {
        let mut hasher = DefaultHasher::new();
        engine.precompile_compatibility_hash().hash(&mut hasher);
        hasher.finish()
    }

    #[test]
    fn code_compiled_elsewhere_fits_every_allocation() {
        let compiler = compile_only().expect("this machine can compile");
        for allocation in [Allocation::Pooling, Allocation::OnDemand] {
            let (engine, _) = build(allocation).expect("this machine can run guests");
            assert_eq!(hash(&engine), hash(&compiler));
        }
    }
}
