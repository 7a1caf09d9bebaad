//! Honest and hostile archives.

use std::io::Write;
use std::path::PathBuf;

use expect_test::{Expect, expect};

use super::*;

/// A header and its content, padded to blocks, as nobody's tar writer would let us write it.
fn entry(name: &str, kind: tar::EntryType, claimed_bytes: u64, content: &[u8]) -> Vec<u8> {
    let mut header = tar::Header::new_ustar();
    header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
    header.set_entry_type(kind);
    header.set_size(claimed_bytes);
    header.set_cksum();
    let mut bytes = header.as_bytes().to_vec();
    bytes.extend_from_slice(content);
    bytes.resize(bytes.len().next_multiple_of(512), 0);
    bytes
}

fn file(name: &str, content: &str) -> Vec<u8> {
    entry(name, tar::EntryType::Regular, content.len() as u64, content.as_bytes())
}

fn archive(entries: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = entries.concat();
    bytes.extend([0; 1024]);
    bytes
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("writes to memory");
    encoder.finish().expect("writes to memory")
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
    encoder.write_all(bytes).expect("writes to memory");
    encoder.finish().expect("writes to memory")
}

fn zst(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).expect("reads from memory")
}

fn small() -> ArchiveBounds {
    ArchiveBounds { total_bytes: 1 << 20, file_bytes: 100_000, entries: 4, path_bytes: 600, ..ArchiveBounds::default() }
}

/// Says what a visitor sees: one line per file with its length and start, then how the visit ended.
fn seen(path: &Path, bounds: &ArchiveBounds) -> String {
    let mut lines = String::new();
    let end = visit_counting(path, bounds, &mut |name, content| {
        let mut text = String::new();
        content.read_to_string(&mut text)?;
        lines += &format!("{name} {} {}\n", text.len(), text.get(..9).unwrap_or(&text));
        Ok(())
    });
    lines
        + &match end {
            Ok(skipped) if skipped == Skipped::default() => "ok".to_owned(),
            Ok(skipped) => format!("{skipped:?}"),
            Err(error) => format!("error: {error}"),
        }
}

fn check_bounded(bytes: &[u8], bounds: &ArchiveBounds, expected: &Expect) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("input.yaml.gz");
    std::fs::write(&path, bytes).expect("writes a temporary file");
    expected.assert_eq(&seen(&path, bounds).replace(&folder.path().display().to_string(), "DIR"));
}

fn check(bytes: &[u8], expected: &Expect) {
    check_bounded(bytes, &small(), expected);
}

#[test]
fn every_packing_is_told_by_content() {
    let plain = archive(&[file("./a/b.json", "{}"), file("c", "text")]);
    for bytes in [gzip(&plain), zst(&plain), xz(&plain), plain] {
        check(
            &bytes,
            &expect![[r#"
            a/b.json 2 {}
            c 4 text
            ok"#]],
        );
    }
}

#[test]
fn a_text_file_is_visited_as_one_file() {
    check(
        b"kind: Pod",
        &expect![[r#"
        input.yaml 9 kind: Pod
        ok"#]],
    );
    check(
        &gzip(b"kind: Pod"),
        &expect![[r#"
        input.yaml 9 kind: Pod
        ok"#]],
    );
}

#[test]
fn binary_files_are_refused_with_what_is_known() {
    check(
        b"PK\x03\x04\x00\x00",
        &expect![
            "error: `DIR/input.yaml.gz` is neither an archive nor a text file (known: tar, plain or packed with gzip, zstd or xz; JSON; YAML)"
        ],
    );
}

#[test]
fn links_devices_and_duplicates_are_skipped_and_counted() {
    let bytes = archive(&[
        file("a", "first"),
        entry("b", tar::EntryType::Symlink, 0, b""),
        entry("c", tar::EntryType::Char, 0, b""),
        file("./a", "second"),
    ]);
    check(
        &bytes,
        &expect![[r#"
        a 5 first
        Skipped { links: 1, special: 1, duplicates: 1 }"#]],
    );
}

#[test]
fn a_path_that_leads_outside_is_an_error_even_for_a_link() {
    check(
        &archive(&[file("a", "1"), file("b/../../c", "2")]),
        &expect![[r#"
        a 1 1
        error: entry `b/../../c` has a path that leads outside: it contains `..`"#]],
    );
    check(
        &archive(&[entry("/etc", tar::EntryType::Symlink, 0, b"")]),
        &expect!["error: entry `/etc` has a path that leads outside: it is absolute"],
    );
}

#[test]
fn long_paths_of_gnu_and_pax_are_read() {
    let long = format!("{}/pods.json", "n".repeat(200));
    let record = format!("220 path={long}\n");
    let gnu =
        [entry("././@LongLink", tar::EntryType::GNULongName, 211, format!("{long}\0").as_bytes()), file("x", "1")];
    let pax = [entry("pax", tar::EntryType::XHeader, record.len() as u64, record.as_bytes()), file("x", "1")];
    for entries in [gnu, pax] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("long.tar");
        std::fs::write(&path, archive(&entries)).expect("writes a temporary file");
        assert_eq!(seen(&path, &small()), format!("{long} 1 1\nok"));
    }
}

#[test]
fn an_endless_long_path_is_refused_before_it_is_read() {
    let bytes = entry("././@LongLink", tar::EntryType::GNULongName, 1 << 40, b"n");
    check(
        &bytes,
        &expect![
            "error: there is no tar header at byte 512: an extended header of 1099511627776 bytes is longer than 65536"
        ],
    );
}

#[test]
fn lying_sizes_are_told_with_entry_and_offset() {
    check(
        &archive(&[entry("long", tar::EntryType::Regular, 9000, b"short")]),
        &expect!["error: the archive ends at byte 2048 in entry `long`, which should be longer"],
    );
    check(
        &archive(&[entry("short", tar::EntryType::Regular, 5, &[b'x'; 1000])]),
        &expect![[r#"
        short 5 xxxxx
        error: there is no tar header at byte 1024 after entry `short`: its checksum is no number"#]],
    );
}

#[test]
fn a_visitor_that_does_not_read_still_learns_of_truncation() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.tar");
    std::fs::write(&path, entry("long", tar::EntryType::Regular, 9000, b"short")).expect("writes a temporary file");
    let end = visit(&path, &small(), &mut |_, _| Ok(()));
    assert!(matches!(end, Err(ArchiveError::Truncated { offset: 1024, .. })), "{end:?}");
}

#[test]
fn cut_off_and_trailing_data_are_errors() {
    let noise: String = (0..9000_u32).map(|n| char::from(b'a' + u8::try_from(n * n % 26).unwrap_or(0))).collect();
    let whole = gzip(&archive(&[file("a", &noise)]));
    check(
        &whole[..whole.len() - 12],
        &expect![[r#"
            a 9000 abejqzkxm
            error: the packed data is damaged or cut off at unpacked byte 10692 in entry `a`"#]],
    );
    check(&whole[..60], &expect!["error: the packed data is damaged or cut off at unpacked byte 137"]);
    check(
        &[whole.as_slice(), b"garbage"].concat(),
        &expect![[r#"
        a 9000 abejqzkxm
        error: the packed data is damaged or cut off at unpacked byte 10752 in entry `a`"#]],
    );
    let plain = archive(&[file("a", &noise)]);
    check(&plain[..2000], &expect!["error: the archive ends at byte 2000 in entry `a`, which should be longer"]);
}

#[test]
fn every_bound_holds() {
    let zeros = "0".repeat(99_000);
    check(
        &archive(&["a", "b", "c", "d", "e"].map(|name| file(name, ""))),
        &expect![[r#"
        a 0 
        b 0 
        c 0 
        d 0 
        error: there are more than 4 entries"#]],
    );
    check(
        &archive(&[entry("a", tar::EntryType::Regular, 100_001, b"")]),
        &expect!["error: file `a` is larger than 100000 bytes"],
    );
    check(
        zeros.repeat(2).as_bytes(),
        &expect![[r#"
        input.yaml 100001 000000000
        error: file `input.yaml` is larger than 100000 bytes"#]],
    );
    let two = archive(&[file("a", &zeros), file("b", &zeros)]);
    check_bounded(
        &two,
        &ArchiveBounds { total_bytes: 150_000, ..small() },
        &expect![[r#"
        a 99000 000000000
        error: the archive is larger than 150000 bytes when unpacked in entry `b`"#]],
    );
    for bomb in [gzip(&two), zst(&two), xz(&two)] {
        let bounds = ArchiveBounds { ratio: 20, ratio_free_bytes: 120_000, ..small() };
        check_bounded(
            &bomb,
            &bounds,
            &expect![[r#"
            a 99000 000000000
            error: the archive unpacks to more than 20 times its size in entry `b`, as only bombs do"#]],
        );
    }
}

#[test]
fn a_folder_is_walked_in_order_without_following_links() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| -> PathBuf { folder.path().join(name) };
    std::fs::create_dir_all(path("b/deep")).expect("creates folders");
    for name in ["b/deep/2.json", "a.json", "c.json"] {
        std::fs::write(path(name), name).expect("writes a temporary file");
    }
    std::os::unix::fs::symlink("/etc", path("link")).expect("makes a link");
    expect![[r#"
        a.json 6 a.json
        c.json 6 c.json
        b/deep/2.json 13 b/deep/2.
        Skipped { links: 1, special: 0, duplicates: 0 }"#]]
    .assert_eq(&seen(folder.path(), &ArchiveBounds { entries: 6, ..small() }));
    let tight = ArchiveBounds { total_bytes: 15, entries: 6, ..small() };
    expect![[r#"
        a.json 6 a.json
        c.json 6 c.json
        b/deep/2.json 4 b/de
        error: the archive is larger than 15 bytes when unpacked in entry `b/deep/2.json`"#]]
    .assert_eq(&seen(folder.path(), &tight));
}
