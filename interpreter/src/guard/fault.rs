//! Reports an access that the system refused: one line for the process that watches, written by the signal handler.

use std::ffi::{c_int, c_void};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{IntoRawFd, OwnedFd};
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

/// The descriptor for reports.
static REPORT: AtomicI32 = AtomicI32::new(-1);

/// The size of the stack of the handler.
const STACK: usize = 64 << 10;

/// From now on, an access that the system refuses writes a line to `report` before the process ends:
/// `fault SIGNAL ADDRESS KIND INSTRUCTION`, in hexadecimal; the kind is `r`, `w`, or `u` where the system does not tell.
/// No core is written.
///
/// # Errors
///
/// The system refuses the handler.
pub fn report_faults(report: OwnedFd) -> io::Result<()> {
    REPORT.store(report.into_raw_fd(), Ordering::Release);
    let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: it only reads the struct.
    unsafe { libc::setrlimit(libc::RLIMIT_CORE, &raw const none) };
    let stack = Box::leak(vec![0_u8; STACK].into_boxed_slice());
    let stack = libc::stack_t { ss_sp: stack.as_mut_ptr().cast(), ss_flags: 0, ss_size: STACK };
    // SAFETY: the stack is never freed.
    checked(unsafe { libc::sigaltstack(&raw const stack, ptr::null_mut()) })?;
    for signal in [libc::SIGSEGV, libc::SIGBUS] {
        let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = caught;
        // SAFETY: all members of the struct may be zero.
        let mut action: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
        action.sa_sigaction = handler as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        // SAFETY: the handler has the signature that `SA_SIGINFO` asks for, and calls only what a handler may call.
        checked(unsafe { libc::sigaction(signal, &raw const action, ptr::null_mut()) })?;
    }
    Ok(())
}

fn checked(result: c_int) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Writes the report, and lets the signal end the process.
extern "C" fn caught(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the system passes valid pointers.
    let (address, at) = unsafe { ((*info).si_addr().addr(), machine(context, (*info).si_code)) };
    let mut line = Line { bytes: [0; 96], length: 0 };
    line.text(b"fault ");
    line.number(signal.cast_unsigned() as usize);
    line.text(b" ");
    line.number(at.instead.unwrap_or(address));
    line.text(&[b' ', at.kind, b' ']);
    line.number(at.instruction);
    line.text(b"\n");
    // SAFETY: the line has so many bytes. Both functions may be called by a handler; the default action for the
    // signal, which is raised again, ends the process when the handler returns.
    unsafe {
        libc::write(REPORT.load(Ordering::Acquire), line.bytes.as_ptr().cast(), line.length);
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}

/// What the processor says about a fault.
struct Machine {
    /// `r`, `w` or `u`.
    kind: u8,
    /// The address of the instruction; 0 if it is not known.
    instruction: usize,
    /// The address, where the system does not tell it.
    instead: Option<usize>,
}

/// # Safety
///
/// `context` is what the system passed to the handler.
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
unsafe fn machine(context: *mut c_void, code: c_int) -> Machine {
    /// The code for an address that no memory can have.
    const NOT_AN_ADDRESS: c_int = 0x80;
    // SAFETY: as the caller guarantees.
    let registers = unsafe { &(*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs };
    let word = |register: c_int| registers[register as usize].cast_unsigned() as usize;
    let is_fill = |word: &usize| [FREED, FRESH].contains(&(word >> 16));
    let general = (libc::REG_R8..=libc::REG_RCX).map(word);
    Machine {
        kind: if word(libc::REG_ERR) & 2 == 0 { b'r' } else { b'w' },
        instruction: word(libc::REG_RIP),
        instead: general.into_iter().find(is_fill).filter(|_| code == NOT_AN_ADDRESS),
    }
}

/// The upper bytes of a pointer in memory that was freed, and in memory that was never written, as the
/// command asks glibc to make them.
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
const FREED: usize = 0xA5A5_A5A5_A5A5;
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
const FRESH: usize = 0x5A5A_5A5A_5A5A;

/// # Safety
///
/// None here.
#[cfg(not(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu")))]
unsafe fn machine(_: *mut c_void, _: c_int) -> Machine {
    Machine { kind: b'u', instruction: 0, instead: None }
}

/// A line, without an allocation.
struct Line {
    bytes: [u8; 96],
    length: usize,
}

impl Line {
    fn text(&mut self, text: &[u8]) {
        for byte in text {
            if let Some(place) = self.bytes.get_mut(self.length) {
                *place = *byte;
                self.length += 1;
            }
        }
    }

    /// In hexadecimal.
    fn number(&mut self, number: usize) {
        let digits = (usize::BITS - number.leading_zeros()).div_ceil(4).max(1);
        for digit in (0..digits).rev() {
            let digit = (number >> (4 * digit)) & 0xF;
            self.text(&[b"0123456789abcdef"[digit]]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_hexadecimal() {
        let mut line = Line { bytes: [0; 96], length: 0 };
        for number in [0, 0xb, 0x7f00_1234_0ff0] {
            line.number(number);
            line.text(b" ");
        }
        assert_eq!(&line.bytes[..line.length], b"0 b 7f0012340ff0 ");
    }
}
