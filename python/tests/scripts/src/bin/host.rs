//! A host for a test to kill. Its script prints its process id and never ends.

#[cfg(unix)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    use opentool::Tool;
    use opentool_python::PythonTool;

    let path = std::env::args_os().nth(1).ok_or("the path of a script")?;
    let tool = PythonTool::builder(&path).log(|line| println!("{}", line.text)).build()?;
    println!("{}", tool.call_json("execute", "{}")?);
    Ok(())
}

#[cfg(not(unix))]
fn main() {}
