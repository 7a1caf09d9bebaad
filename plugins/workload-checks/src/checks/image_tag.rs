//! `image-tag`: an image without a version changes under the workload.

use porthole_sdk::results::Severity;

use super::*;

/// The check.
pub(super) const CHECK: Check = Check {
    name: "image-tag",
    severity: Severity::Medium,
    remedy: "name a version, best with a digest: `image: name:1.2.3@sha256:…`",
    needs: &PODS,
    looks_up: &[],
    rule: Rule::Workload(judge),
};

fn judge(workload: &Workload, _world: &World) -> Verdict {
    each(workload.all_containers(), "use an image without a fixed version", |container| {
        let image = container.image.as_str();
        let name = image.rsplit('/').next().unwrap_or(image);
        !image.contains('@') && name.split_once(':').is_none_or(|(_, tag)| tag == "latest" || tag.is_empty())
    })
}
