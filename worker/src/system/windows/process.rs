//! The process of a worker, seen from the server.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, PipeWriter};
use std::os::windows::io::{AsHandle, AsRawHandle, FromRawHandle, OwnedHandle};
use std::os::windows::process::ExitStatusExt;
use std::process::ExitStatus;
use std::ptr;

use windows_sys::Win32::Foundation::{HANDLE, WAIT_OBJECT_0};
use windows_sys::Win32::System::Threading::{
    CREATE_NEW_PROCESS_GROUP, CREATE_UNICODE_ENVIRONMENT, CreateProcessW, DeleteProcThreadAttributeList,
    EXTENDED_STARTUPINFO_PRESENT, GetExitCodeProcess, InitializeProcThreadAttributeList,
    PROC_THREAD_ATTRIBUTE_HANDLE_LIST, PROC_THREAD_ATTRIBUTE_JOB_LIST, PROCESS_INFORMATION,
    STARTF_USESTDHANDLES, STARTUPINFOEXW, TerminateProcess, UpdateProcThreadAttribute, WaitForSingleObject,
};

use super::handles::{VARIABLE, inheritable, numbers};
use super::job::Job;
use super::{Stream, launch};
use crate::system::Launch;

/// The process of a worker, in a job object of its own.
#[derive(Debug)]
pub(crate) struct Process {
    process: OwnedHandle,
    id: u32,
    job: Job,
}

impl Process {
    pub(crate) fn id(&self) -> u32 {
        self.id
    }

    pub(crate) fn has_ended(&self) -> bool {
        // SAFETY: the handle is that of a process, and nothing is waited for.
        unsafe { WaitForSingleObject(self.process.as_raw_handle(), 0) == WAIT_OBJECT_0 }
    }

    /// Kills it, with every process that it has started.
    pub(crate) fn kill(&self) {
        self.job.kill();
        // SAFETY: the handle is that of a process; one that has ended keeps its code.
        unsafe { TerminateProcess(self.process.as_raw_handle(), 1) };
    }

    /// How it ended. It must have.
    pub(crate) fn status(&mut self) -> Option<ExitStatus> {
        let mut code = 0;
        // SAFETY: the handle is that of a process.
        let done = unsafe { GetExitCodeProcess(self.process.as_raw_handle(), &raw mut code) };
        (done != 0).then(|| ExitStatus::from_raw(code))
    }

    /// It does not end although it was killed. The system sees to it.
    pub(crate) fn abandon(&self) {}
}

/// Starts it, in its job object from the first instruction on. It inherits its ends of the pipes and standard error, and nothing
/// else: not the streams of a protocol that this process speaks.
pub(crate) fn spawn(launch: &Launch<'_>) -> io::Result<(Process, Stream, PipeWriter)> {
    let (stream, requests, replies) = Stream::pair()?;
    let (reader, pipe) = io::pipe()?;
    let own = [
        inheritable(requests.as_handle())?,
        inheritable(replies.as_handle())?,
        inheritable(reader.as_handle())?,
    ];
    let input = inheritable(File::open("NUL")?.as_handle())?;
    let output = match inheritable(io::stderr().as_handle()) {
        Ok(output) => output,
        // A program without a console may have none.
        Err(_) => inheritable(File::options().write(true).open("NUL")?.as_handle())?,
    };
    let job = Job::new(launch.memory)?;
    let [requests, replies, cancels] = &own;
    let handles = numbers([requests, replies, cancels]);
    let given = [(launch.variable.0, OsStr::new(launch.variable.1)), (VARIABLE, &handles)];
    let environment = launch::environment(std::env::vars_os(), launch.hidden, &given)?;
    let executable = launch::text(launch.executable.as_os_str())?;
    let mut line = launch::command_line(launch)?;

    let inherited = [requests, replies, cancels, &input, &output].map(AsRawHandle::as_raw_handle);
    let jobs = [job.handle().as_raw_handle()];
    let mut attributes = Attributes::new(2)?;
    attributes.set(PROC_THREAD_ATTRIBUTE_HANDLE_LIST, &inherited)?;
    attributes.set(PROC_THREAD_ATTRIBUTE_JOB_LIST, &jobs)?;
    let mut startup = STARTUPINFOEXW::default();
    startup.StartupInfo.cb = size_of_val(&startup) as u32;
    startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    startup.StartupInfo.hStdInput = input.as_raw_handle();
    startup.StartupInfo.hStdOutput = output.as_raw_handle();
    startup.StartupInfo.hStdError = output.as_raw_handle();
    startup.lpAttributeList = attributes.list();
    let mut made = PROCESS_INFORMATION::default();
    // SAFETY: the texts end with a zero, and the environment with two. All that is pointed to, also by the attributes, lives until
    // the call returns.
    let done = unsafe {
        CreateProcessW(
            executable.as_ptr(),
            line.as_mut_ptr(),
            ptr::null(),
            ptr::null(),
            1,
            // Ctrl-C is for the server, which ends its workers.
            EXTENDED_STARTUPINFO_PRESENT | CREATE_UNICODE_ENVIRONMENT | CREATE_NEW_PROCESS_GROUP,
            environment.as_ptr().cast(),
            ptr::null(),
            (&raw const startup.StartupInfo),
            &raw mut made,
        )
    };
    if done == 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the system has just made both for this call.
    let (process, _thread) =
        unsafe { (OwnedHandle::from_raw_handle(made.hProcess), OwnedHandle::from_raw_handle(made.hThread)) };
    Ok((Process { process, id: made.dwProcessId, job }, stream, pipe))
}

/// What a process is started with. The lists of handles must live as long.
struct Attributes<'h> {
    memory: Vec<usize>,
    handles: std::marker::PhantomData<&'h [HANDLE]>,
}

impl<'h> Attributes<'h> {
    fn new(count: u32) -> io::Result<Self> {
        let mut size = 0;
        // SAFETY: without a list it only says the size.
        unsafe { InitializeProcThreadAttributeList(ptr::null_mut(), count, 0, &raw mut size) };
        let mut memory = vec![0_usize; size.div_ceil(size_of::<usize>())];
        // SAFETY: the memory has this size, and the alignment of pointers.
        let done =
            unsafe { InitializeProcThreadAttributeList(memory.as_mut_ptr().cast(), count, 0, &raw mut size) };
        if done == 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(Self { memory, handles: std::marker::PhantomData })
    }

    fn list(&mut self) -> *mut core::ffi::c_void {
        self.memory.as_mut_ptr().cast()
    }

    fn set(&mut self, attribute: u32, handles: &'h [HANDLE]) -> io::Result<()> {
        // SAFETY: the list is initialized, and the handles live as long as it: the lifetime says so.
        let done = unsafe {
            UpdateProcThreadAttribute(
                self.list(),
                0,
                attribute as usize,
                handles.as_ptr().cast(),
                size_of_val(handles),
                ptr::null_mut(),
                ptr::null(),
            )
        };
        if done == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }
}

impl Drop for Attributes<'_> {
    fn drop(&mut self) {
        // SAFETY: the list is initialized, and not used again.
        unsafe { DeleteProcThreadAttributeList(self.list()) };
    }
}
