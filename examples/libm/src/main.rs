//! The C math library, called with types and with JSON: both have to agree.

use std::error::Error;
use std::process::ExitCode;

// `libm.json` describes 143 functions of the C library that every system has.
opendyn::opendyn!("libm.json");

fn main() -> Result<ExitCode, Box<dyn Error>> {
    // SAFETY: libm.json describes the C math library as the C standard and glibc define it.
    let libm = unsafe { Libm::open_default()? };

    let frexp = libm.frexp(40.0);
    let modf = libm.modf(-2.75);
    let remquo = libm.remquo(20.0, 3.0);

    // The function, its arguments, and the result of the typed call, written as JSON.
    let calls = [
        ("sqrt", r#"{"x":2}"#, format!(r#"{{"root":{:?}}}"#, libm.sqrt(2.0))),
        ("cbrt", r#"{"x":-8}"#, format!(r#"{{"root":{:?}}}"#, libm.cbrt(-8.0))),
        ("cosf", r#"{"x":0.5}"#, format!(r#"{{"result":{:?}}}"#, libm.cosf(0.5))),
        ("atan2", r#"{"y":1,"x":-1}"#, format!(r#"{{"angle":{:?}}}"#, libm.atan2(1.0, -1.0))),
        ("hypot", r#"{"x":3,"y":4}"#, format!(r#"{{"length":{:?}}}"#, libm.hypot(3.0, 4.0))),
        ("pow", r#"{"base":2,"exponent":0.5}"#, format!(r#"{{"result":{:?}}}"#, libm.pow(2.0, 0.5))),
        ("tgamma", r#"{"x":6}"#, format!(r#"{{"result":{:?}}}"#, libm.tgamma(6.0))),
        ("fma", r#"{"x":2,"y":3,"z":0.5}"#, format!(r#"{{"result":{:?}}}"#, libm.fma(2.0, 3.0, 0.5))),
        ("lround", r#"{"x":2.5}"#, format!(r#"{{"result":{:?}}}"#, libm.lround(2.5))),
        ("nextafter", r#"{"x":1,"toward":2}"#, format!(r#"{{"result":{:?}}}"#, libm.nextafter(1.0, 2.0))),
        (
            "frexp",
            r#"{"x":40}"#,
            format!(r#"{{"fraction":{:?},"exponent":{:?}}}"#, frexp.fraction, frexp.exponent),
        ),
        ("modf", r#"{"x":-2.75}"#, format!(r#"{{"fraction":{:?},"whole":{:?}}}"#, modf.fraction, modf.whole)),
        (
            "remquo",
            r#"{"x":20,"y":3}"#,
            format!(r#"{{"remainder":{:?},"quotient":{:?}}}"#, remquo.remainder, remquo.quotient),
        ),
    ];

    let mut differences = 0;
    for (function, arguments, typed) in calls {
        let reply = libm.call_json(function, arguments)?;
        println!("{function} {arguments}\n  typed {typed}\n  JSON  {reply}");
        if reply != typed {
            println!("  they differ");
            differences += 1;
        }
    }

    // Not every system has the functions that glibc adds, so their methods return a `Result`.
    match libm.sincos(1.0) {
        Ok(both) => println!("sincos(1.0) = {} and {}", both.sine, both.cosine),
        Err(error) => println!("sincos: {error}"),
    }
    // JSON has no NaN; the typed call returns it.
    println!("nan(c\"\") = {}", libm.nan(c""));
    match libm.call_json("nan", r#"{"payload":""}"#) {
        Ok(reply) => {
            println!("nan {{\"payload\":\"\"}} -> {reply}, which is not JSON");
            differences += 1;
        }
        Err(error) => println!("nan {{\"payload\":\"\"}}\n  {error}"),
    }
    Ok(if differences == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
