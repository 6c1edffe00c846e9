//! Reports the address of an access that the system refused, which nobody else knows: one frame, written by the handler
//! of the signal. The signal then ends the process.

use std::ffi::{c_int, c_void};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::AsRawFd;
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};

use super::End;
use crate::frame::{HEADER, Header, Kind};

/// The descriptor for the report.
static REPORT: AtomicI32 = AtomicI32::new(-1);
/// The nonce of the call that runs.
static NONCE: AtomicU64 = AtomicU64::new(0);

/// The call with this nonce begins.
pub(crate) fn now(nonce: u64) {
    NONCE.store(nonce, Ordering::Relaxed);
}

/// From now on, faults are reported to the stream, which must stay open.
pub(crate) fn report_to(stream: &End) -> io::Result<()> {
    REPORT.store(stream.as_raw_fd(), Ordering::Relaxed);
    for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL] {
        let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = caught;
        // SAFETY: all members of the struct may be zero.
        let mut action: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
        action.sa_sigaction = handler as usize;
        // The standard library gives its threads a stack for handlers, so that a full stack is reported too.
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        // SAFETY: the handler has the signature that `SA_SIGINFO` asks for, and calls only what a handler may call.
        if unsafe { libc::sigaction(signal, &raw const action, ptr::null_mut()) } != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

extern "C" fn caught(signal: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
    // SAFETY: the system passes a valid pointer.
    let (address, code) = unsafe { ((*info).si_addr().addr() as u64, (*info).si_code) };
    // A signal that a process has sent has no address.
    let is_fault = code > 0;
    let header = Header { nonce: NONCE.load(Ordering::Relaxed), kind: Kind::Fault, length: 8, handles: 0 };
    let mut frame = [0; HEADER + 8];
    let (head, body) = frame.split_at_mut(HEADER);
    head.copy_from_slice(&header.bytes());
    body.copy_from_slice(&address.to_le_bytes());
    // SAFETY: the frame has so many bytes. All of them may be called by a handler; the default action for the signal,
    // which is raised again, ends the process when the handler returns.
    unsafe {
        if is_fault {
            libc::write(REPORT.load(Ordering::Relaxed), frame.as_ptr().cast(), frame.len());
        }
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}
