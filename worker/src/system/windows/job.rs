//! A job object: what is in it ends with it, and is limited together.

use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::ptr;

use windows_sys::Win32::System::JobObjects::{
    CreateJobObjectW, JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION, JOB_OBJECT_LIMIT_JOB_MEMORY,
    JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOB_OBJECT_LIMIT_PROCESS_MEMORY,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation, SetInformationJobObject,
    TerminateJobObject,
};

/// A worker, and the processes that it starts. They are killed when this is dropped, and when the server ends in whatever way:
/// the handle is its only one, and nobody inherits it.
#[derive(Debug)]
pub(super) struct Job(OwnedHandle);

impl Job {
    /// An empty one. The memory is what a process of it, and all together, can commit.
    pub(super) fn new(memory: Option<u64>) -> io::Result<Self> {
        // SAFETY: without a name and without attributes.
        let job = unsafe { CreateJobObjectW(ptr::null(), ptr::null()) };
        if job.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the system has just made it for this call.
        let job = Self(unsafe { OwnedHandle::from_raw_handle(job) });
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        let flags = &mut limits.BasicLimitInformation.LimitFlags;
        *flags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
        if let Some(memory) = memory {
            *flags |= JOB_OBJECT_LIMIT_PROCESS_MEMORY | JOB_OBJECT_LIMIT_JOB_MEMORY;
            let memory = usize::try_from(memory).unwrap_or(usize::MAX);
            (limits.ProcessMemoryLimit, limits.JobMemoryLimit) = (memory, memory);
        }
        // SAFETY: the struct is that of this class, and has this size.
        let done = unsafe {
            SetInformationJobObject(
                job.0.as_raw_handle(),
                JobObjectExtendedLimitInformation,
                (&raw const limits).cast(),
                size_of_val(&limits) as u32,
            )
        };
        if done == 0 { Err(io::Error::last_os_error()) } else { Ok(job) }
    }

    pub(super) fn handle(&self) -> &OwnedHandle {
        &self.0
    }

    /// Kills every process of it.
    pub(super) fn kill(&self) {
        // SAFETY: the handle is that of a job.
        unsafe { TerminateJobObject(self.0.as_raw_handle(), 1) };
    }
}
