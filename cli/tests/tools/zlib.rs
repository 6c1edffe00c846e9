//! Five tasks with zlib.

use serde_json::json;

use super::Model;

/// 2,300 bytes of text, and the same in base64.
const SENTENCE: &str = "a text that repeats itself ";
const SENTENCE_BASE64: &str = "YSB0ZXh0IHRoYXQgcmVwZWF0cyBpdHNlbGYg";

/// "hello" 1,000 times as gzip, of which a reader cannot tell the size before.
const HELLO_GZIP: &str = include_str!("hello.gz.base64");

/// The number of calls that they took.
pub(crate) fn tasks() -> usize {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("tools-zlib");
    std::fs::create_dir_all(&folder).expect("a folder");
    let allowed = folder.to_str().expect("UTF-8");
    let mut model = Model::at(&["zlib/zlib.json", "zlib/tools/decompress.py", "--allow-write", allowed]);
    let text = SENTENCE_BASE64.repeat(100);

    // How far a text can be compressed.
    model.search("compress bytes, uncompress");
    let packed = model.call("compress", json!({"source": text}))["dest"].clone();
    let ratio = packed.as_str().map(str::len).expect("base64") * 100 / text.len();
    assert!(ratio < 10, "{ratio} %");
    let error = model.mistake("uncompress", json!({"source": packed, "destLen": 100}));
    assert!(error.contains("give a larger destLen"), "{error}");

    // Both checksums, and two of them combined.
    model.search("crc32 adler32 crc32_combine");
    let of = |model: &mut Model, name: &str, bytes: &str| {
        model.call(name, json!({"buf": bytes}))["checksum"].clone()
    };
    let crc = of(&mut model, "crc32", SENTENCE_BASE64);
    assert_eq!(of(&mut model, "adler32", SENTENCE_BASE64), json!(adler(SENTENCE.as_bytes())));
    let twice = of(&mut model, "crc32", &SENTENCE_BASE64.repeat(2));
    let pieces = json!({"crc1": crc, "crc2": crc, "len2": SENTENCE.len()});
    assert_eq!(model.call("crc32_combine", pieces)["checksum"], twice);
    assert_eq!(model.call("crc32", json!({"buf": {"text": SENTENCE}}))["checksum"], crc);
    let error = model.mistake("crc32_combine", json!({"crc1": 1, "crc2": 2, "len2": -1}));
    assert!(error.contains("/len2: -1"), "{error}");

    // A gzip file, written and read.
    let path = folder.join("file.gz");
    model.search("gzopen gzwrite gzread gzclose");
    let error = model.mistake("gzopen", json!({"path": path, "mode": "rw"}));
    assert!(error.contains("/mode") && error.contains("wb"), "{error}");
    let file = model.call("gzopen", json!({"path": path, "mode": "wb"}))["file"].clone();
    model.call("gzwrite", json!({"file": file, "buf": text}));
    model.call("gzclose", json!({"file": file}));
    let file = model.call("gzopen", json!({"path": path, "mode": "rb"}))["file"].clone();
    assert_eq!(model.call("gzread", json!({"file": file, "len": 10_000}))["buf"], text);
    model.call("gzclose", json!({"file": file}));

    // Data of unknown size.
    let reply = model.call("decompress", json!({"source": HELLO_GZIP.trim()}));
    assert_eq!((&reply["data"]["bytes"], &reply["data"]["format"]), (&json!(5000), &json!("gzip")));
    let error = model.mistake("decompress", json!({"source": "bm90aGluZyBvZiB0aGUga2luZA=="}));
    assert!(error.contains("neither gzip nor zlib nor raw deflate"), "{error}");
    model.calls
}

/// Adler-32, as its definition has it.
fn adler(bytes: &[u8]) -> u32 {
    let (a, b) = bytes.iter().fold((1, 0), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % 65521;
        (a, (b + a) % 65521)
    });
    b << 16 | a
}
