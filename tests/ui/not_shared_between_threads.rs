//! A binding whose document does not say `x-threadSafe` stays in one thread at a time.

opendyn::opendyn!("calc.json");

fn calls(calc: &Calc) {
    std::thread::scope(|scope| {
        scope.spawn(|| calc.add(1, 2));
    });
}

fn main() {}
