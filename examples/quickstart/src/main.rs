//! A library and its description, used by a Rust program and by an agent.

use std::error::Error;

use opendyn::{OpenTool, Tool};

// `calc.json` describes the functions of `calc.c`. The macro reads it at compile time: change a type
// in it, and the calls below no longer compile.
opendyn::opendyn!("calc.json", optional = [version]);

fn main() -> Result<(), Box<dyn Error>> {
    // SAFETY: calc.json describes calc.c correctly.
    let calc = unsafe { Calc::open(env!("CALC_LIBRARY"))? };

    println!("Typed calls, checked by the compiler:");
    println!("  add(2, 3)            = {}", calc.add(2, 3));
    println!("  divide(17, 5)        = {:?}", calc.divide(17, 5));
    println!("  greet(None)          = {:?}", calc.greet(None)?);
    println!("  greet(Some(c\"Ada\"))  = {:?}", calc.greet(Some(c"Ada"))?);
    println!("  square_root(2.0)     = {}", calc.square_root(2.0));
    let mut values = [1, 2, 3];
    // SAFETY: 3 is the length of `values`, which the document cannot say.
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

    println!("\nErrors in calls:");
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

    println!("\nErrors in loading a library:");
    for path in ["/nowhere/libcalc.so", "./libcalc.so", "libc.so.6"] {
        // SAFETY: only the C library is loaded, which is already loaded; it lacks the functions of calc.json.
        if let Err(error) = unsafe { Calc::open(path) } {
            println!("  {error}");
        }
    }

    if let Some(OpenTool { functions, .. }) = calc.load() {
        println!("\nThe tools of an agent: {} functions, such as", functions.len());
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
