//! A timer is linked to its loop (`x-keeps` on a state), with the document of examples/libraries. A call that is lent memory
//! through a stream has it alone (`x-lends`), with the document of examples/zlib.

opendyn::opendyn!("uv.json");
opendyn::opendyn!("zlib.json");

fn loop_closed(events: Loop<'_>) {
    let timer = events.timer_init();
    let _ = events.close();
    drop(timer);
}

fn lent_twice(stream: &DeflateStream<'_>) {
    let _ = stream.deflate(None, b"input", 100);
}

fn main() {}
