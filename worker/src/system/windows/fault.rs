//! Reports the address of an access that the system refused, which nobody else knows: one frame, written by the filter of
//! exceptions that nobody handles. The filter then ends the process, so that no window and no debugger is opened for it.

use std::io;
use std::os::windows::io::AsRawHandle;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

use windows_sys::Win32::Foundation::{STATUS_ACCESS_VIOLATION, STATUS_IN_PAGE_ERROR, STATUS_STACK_OVERFLOW};
use windows_sys::Win32::Storage::FileSystem::WriteFile;
use windows_sys::Win32::System::Diagnostics::Debug::{
    EXCEPTION_POINTERS, SEM_FAILCRITICALERRORS, SEM_NOGPFAULTERRORBOX, SEM_NOOPENFILEERRORBOX, SetErrorMode,
    SetUnhandledExceptionFilter,
};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, TerminateProcess};

use super::End;
use crate::frame::{HEADER, Header, Kind};

/// The handle for the report.
static REPORT: AtomicPtr<core::ffi::c_void> = AtomicPtr::new(ptr::null_mut());
/// The nonce of the call that runs.
static NONCE: AtomicU64 = AtomicU64::new(0);

/// The call with this nonce begins.
pub(crate) fn now(nonce: u64) {
    NONCE.store(nonce, Ordering::Relaxed);
}

/// From now on, faults are reported to the stream, which must stay open, and the system asks nobody what to do about an error.
pub(crate) fn report_to(end: &End) -> io::Result<()> {
    REPORT.store(end.replies().as_raw_handle(), Ordering::Relaxed);
    // SAFETY: it takes flags alone.
    unsafe { SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX) };
    // SAFETY: the filter has the signature that is asked for, and relies on nothing that an exception may have left half done:
    // it takes no lock and allocates nothing.
    unsafe { SetUnhandledExceptionFilter(Some(caught)) };
    Ok(())
}

unsafe extern "system" fn caught(exception: *const EXCEPTION_POINTERS) -> i32 {
    // SAFETY: the system passes valid pointers.
    let record = unsafe { &*(*exception).ExceptionRecord };
    let address = match (record.ExceptionCode, record.NumberParameters) {
        // The second parameter is what was accessed.
        (STATUS_ACCESS_VIOLATION | STATUS_IN_PAGE_ERROR | STATUS_STACK_OVERFLOW, 2..) => {
            Some(record.ExceptionInformation[1] as u64)
        }
        (STATUS_ACCESS_VIOLATION | STATUS_IN_PAGE_ERROR | STATUS_STACK_OVERFLOW, _) => None,
        // The instruction.
        _ => Some(record.ExceptionAddress.addr() as u64),
    };
    if let Some(address) = address {
        let header =
            Header { nonce: NONCE.load(Ordering::Relaxed), kind: Kind::Fault, length: 8, handles: 0 };
        let mut frame = [0; HEADER + 8];
        let (head, body) = frame.split_at_mut(HEADER);
        head.copy_from_slice(&header.bytes());
        body.copy_from_slice(&address.to_le_bytes());
        let mut written = 0;
        // SAFETY: the frame has so many bytes. If the library has closed the handle, the system says so.
        unsafe {
            WriteFile(
                REPORT.load(Ordering::Relaxed),
                frame.as_ptr(),
                frame.len() as u32,
                &raw mut written,
                ptr::null_mut(),
            );
        }
    }
    // SAFETY: it ends this process at once, with the code that the system would have given it.
    unsafe { TerminateProcess(GetCurrentProcess(), record.ExceptionCode.cast_unsigned()) };
    // EXCEPTION_CONTINUE_SEARCH: the system ends the process.
    0
}
