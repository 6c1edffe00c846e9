//! C libraries through their descriptions. Each module has one job, done with typed calls and with JSON; both
//! must find out the same, and fail with the library's own texts.

pub mod archive;
pub mod cairo;
pub mod geos;
pub mod git;
pub mod redis;
mod report;
pub mod uv;
pub mod xml;
pub mod zstd;

use std::error::Error;
use std::path::{Path, PathBuf};

use opendyn::Session;
use opendyn_interpreter::{Document, Interpreted};

pub use report::{Done, Report};

/// A library and its job.
#[derive(Clone, Copy)]
pub struct Job {
    /// The name of the library.
    pub name: &'static str,
    document: &'static str,
    compiled: fn(&Path) -> Both,
    json: fn(&dyn opendyn::Tool, &Path) -> Done,
}

/// What typed calls and calls with JSON found out.
type Both = Result<[Report; 2], Box<dyn Error>>;

/// The job of a module: its binding, its document, and both ways to do it.
macro_rules! job {
    ($module:ident :: $binding:ident) => {
        Job {
            name: stringify!($module),
            document: include_str!(concat!("../documents/", stringify!($module), ".json")),
            compiled: |folder| {
                // SAFETY: the document agrees with the header of the library.
                let library = unsafe { $module::$binding::open_default()? };
                let typed = $module::typed(&library, folder)?;
                let json = $module::json(&Session::new(&library), folder)?;
                Ok([typed, json])
            },
            json: $module::json,
        }
    };
}

/// All jobs.
pub const JOBS: [Job; 8] = [
    job!(archive::Archive),
    job!(cairo::Cairo),
    job!(geos::Geos),
    job!(git::Git),
    job!(redis::Redis),
    job!(uv::Uv),
    job!(xml::Xml),
    job!(zstd::Zstd),
];

impl Job {
    /// Does the job with typed calls, with JSON, and with JSON without compiled bindings.
    ///
    /// # Errors
    ///
    /// A call failed that should not, or the ways differ.
    pub fn run(&self) -> Done {
        let folder = Folder::new(self.name)?;
        let [typed, json] = (self.compiled)(&folder.0.join("compiled").made()?)?;
        let document = Document::read(self.name, self.document, &opendyn_model::Options::default())?;
        // SAFETY: as for the compiled binding, which is dropped.
        let library = unsafe { Interpreted::open_default(document)? };
        let interpreted = (self.json)(&Session::new(&library), &folder.0.join("interpreted").made()?)?;
        if typed != json || typed != interpreted {
            return Err(format!("they differ: {typed:#?}, {json:#?}, {interpreted:#?}").into());
        }
        Ok(typed)
    }
}

/// A folder for the files of one job, which is removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> std::io::Result<Self> {
        let folder = std::env::temp_dir().join(format!("opendyn-{name}-{}", std::process::id()));
        Ok(Self(folder.made()?))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed stays where temporary files are.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

trait Made {
    /// The same folder, which exists now.
    fn made(&self) -> std::io::Result<PathBuf>;
}

impl Made for PathBuf {
    fn made(&self) -> std::io::Result<PathBuf> {
        std::fs::create_dir_all(self)?;
        Ok(self.clone())
    }
}
