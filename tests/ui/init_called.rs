//! Loading initializes a library, and dropping its last binding ends it: callers can do neither.

opendyn::opendyn!("init.json");

fn begins(net: &Net) {
    net.net_begin();
}

fn ends(net: &Net) {
    net.net_end();
}

fn main() {}
