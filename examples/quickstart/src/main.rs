//! A library, its description, and what a Rust program and an agent make of them.

use std::error::Error;

use opendyn::{OpenTool, Tool};

// `calc.json` describes the functions of `calc.c`. The macro reads it when this compiles:
// change a type in it, and the calls below no longer do.
opendyn::opendyn!("calc.json", optional = [version]);

fn main() -> Result<(), Box<dyn Error>> {
    // SAFETY: calc.json describes calc.c as it is.
    let calc = unsafe { Calc::open(env!("CALC_LIBRARY"))? };

    println!("Typed calls, checked by the compiler:");
    println!("  add(2, 3)            = {}", calc.add(2, 3));
    println!("  divide(17, 5)        = {:?}", calc.divide(17, 5));
    println!("  greet(None)          = {:?}", calc.greet(None)?);
    println!("  greet(Some(c\"Ada\"))  = {:?}", calc.greet(Some(c"Ada"))?);
    println!("  square_root(2.0)     = {}", calc.square_root(2.0));
    let mut values = [1, 2, 3];
    // SAFETY: the document cannot say that `count` is the length of `values`; it is.
    println!("  sum(&mut [1, 2, 3])  = {}", unsafe { calc.sum(&mut values, 3) });
    println!("  has_version()        = {}", calc.has_version());
    println!("  CalcCode(1)          = {}", CalcCode(calc.divide(1, 0).code.into()));

    println!("\nThe same functions, called with JSON:");
    for (function, arguments) in [
        ("add", r#"{"a":2,"b":3}"#),
        ("divide", r#"{"dividend":17,"divisor":5}"#),
        ("greet", r#"{"name":"Grace"}"#),
        ("greet", "{}"),
    ] {
        println!("  {function} {arguments} -> {}", calc.call_json(function, arguments)?);
    }

    println!("\nWhat a caller is told who gets it wrong:");
    for (function, arguments) in [
        ("ad", r#"{"a":2,"b":3}"#),
        ("add", r#"{"a":2}"#),
        ("add", r#"{"a":2,"b":3,"c":4}"#),
        ("add", r#"{"a":2,"a":2,"b":3}"#),
        ("add", r#"{"a":"2","b":3}"#),
        ("add", r#"{"a":2.5,"b":3}"#),
        ("add", r#"{"a":3000000000,"b":3}"#),
        ("add", r#"{"a":2,"b":3"#),
        ("greet", r#"{"name":"a\u0000b"}"#),
        ("greet", r#"{"name":""}"#),
        ("square_root", r#"{"x":-1}"#),
        ("sum", r#"{"values":[1,2,3],"count":3}"#),
        ("version", "{}"),
    ] {
        match calc.call_json(function, arguments) {
            Ok(reply) => println!("  {function} {arguments} -> {reply}"),
            Err(error) => println!("  {function} {arguments}\n    {error}"),
        }
    }

    println!("\nWhat a program is told whose library is not there:");
    for path in ["/nowhere/libcalc.so", "./libcalc.so", "libc.so.6"] {
        // SAFETY: none of these is loaded, or it is the C library, which is loaded already.
        if let Err(error) = unsafe { Calc::open(path) } {
            println!("  {error}");
        }
    }

    if let Some(OpenTool { functions, .. }) = calc.load() {
        println!("\nWhat an agent is told: {} functions, such as", functions.len());
        for function in functions.iter().take(2) {
            let parameters: Vec<&str> =
                function.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            println!("  {}({}): {}", function.name, parameters.join(", "), function.description);
        }
    }

    println!("\nNext: break examples/quickstart/calc.json (write \"integr\" for a type) and run this again;");
    println!("then describe a library of your own, and write opendyn::opendyn!(\"yours.json\").");
    Ok(())
}
