//! Functions that a compiler makes of C, and what is proven of them.

use super::*;

#[test]
#[ignore]
fn probe() {
    let path = std::env::var("PROBE").expect("x");
    let names = std::env::var("NAMES").expect("y");
    let start = std::time::Instant::now();
    let mut code = Code::read(Path::new(&path)).expect("code");
    let all: Vec<String> = if names == "*" {
        let e = crate::Exports::read(Path::new(&path)).unwrap();
        e.functions().map(|x| x.name.clone()).collect()
    } else { names.split(',').map(str::to_owned).collect() };
    let mut lent = 0; let mut total = 0; let mut unk = 0;
    for name in &all {
        for place in 0..3 {
            if let Some(one) = code.of(name, place) {
                if place == 0 { total += 1; if one.is_lent(0) { lent += 1 } if one.pointer.unknown { unk += 1 } }
                if names != "*" { println!("{name} {place} {one:?}"); }
            }
        }
    }
    println!("first argument lent: {lent} of {total}, unknown {unk}; {} functions, {:?}", code.found.len(), start.elapsed());
}
