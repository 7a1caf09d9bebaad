//! The only `bindgen!` of the house, and conversions between WIT and `porthole-core`. It decides nothing.

#[expect(missing_docs, reason = "the WIT files document every item")]
mod generated {
    wasmtime::component::bindgen!({
        path: "../../wit",
        world: "producer-plugin",
        imports: { default: async | trappable },
        exports: { default: async },
        require_store_data_send: true,
    });
}

pub use generated::*;
