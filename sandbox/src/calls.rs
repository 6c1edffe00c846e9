//! seccomp: which system calls are refused, as tables. Everything else is allowed, because a library can need any of the rest.
//!
//! A refused call fails with `EPERM`, or `EACCES` for sockets, or `ENOSYS` where libraries have another way. A program of another ABI
//! (32-bit calls in a 64-bit process) is killed. Calls that are newer than these tables fail with `ENOSYS`.

use std::collections::BTreeMap;

use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter, sock_filter,
};

use crate::{Entered, Part, Sandbox, SandboxError};

/// `fchmodat2`, which `libc` does not have everywhere. Numbers from 424 on are the same on all architectures.
const FCHMODAT2: c_long = 452;
/// The newest call that is judged here: `mseal`. Above it are also the calls of the x32 ABI, whose numbers have a high bit.
const NEWEST: u32 = 462;

/// They reach other processes, the kernel or the machine. No library is given its work by them.
const REFUSED: &[c_long] = &[
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    // File systems and namespaces.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_open_by_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_quotactl,
    libc::SYS_mknodat,
    // The kernel and the machine.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    // Limits that were set would not be limits for root. `prlimit64` is refused below where it sets one.
    #[cfg(not(target_arch = "riscv64"))]
    libc::SYS_setrlimit,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_mknod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_kexec_file_load,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_modify_ldt,
];

/// Libraries take another way if these do not exist. `clone3` has its flags in memory, where a filter cannot read them.
const ABSENT: &[c_long] =
    &[libc::SYS_clone3, libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register];

/// They change modes, owners, times and attributes of files, which Landlock does not cover. Refused if nothing can be written.
const ATTRIBUTES: &[c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
];

const EXECUTE: &[c_long] = &[libc::SYS_execve, libc::SYS_execveat];

#[cfg(target_arch = "x86_64")]
const FORK: &[c_long] = &[libc::SYS_fork, libc::SYS_vfork];
#[cfg(not(target_arch = "x86_64"))]
const FORK: &[c_long] = &[];

/// Their first argument is the process that gets the signal. Refused unless it is this one.
const SIGNALS: &[c_long] =
    &[libc::SYS_kill, libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo];

/// A process that is cloned with one of them sees the system through a namespace of its own, as its root.
const NAMESPACES: &[i32] = &[
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];

/// They change how a process is scheduled, or on which cores. Refused unless it is this one: a server that runs only when
/// nothing else does would answer nobody while its library calculates.
const SCHEDULING: &[c_long] = &[
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setaffinity,
];

/// Families of sockets with a network. netlink tells the addresses of this machine, which resolving host names needs.
const FAMILIES: &[i32] = &[libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];

/// They type into the terminal that the server was started in.
const TERMINAL: &[u64] = &[0x5412 /* TIOCSTI */, 0x541c /* TIOCLINUX */];

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

pub(crate) fn enter(sandbox: &Sandbox, entered: &mut Entered) -> Result<(), SandboxError> {
    let signals_by_landlock = entered.in_force.contains(&Part::Signals);
    let arch = TargetArch::try_from(std::env::consts::ARCH);
    let arch = arch.map_err(|error| SandboxError::Calls(error.into()))?;
    let filters = filters(sandbox, arch).map_err(|error| SandboxError::Calls(error.into()))?;
    for filter in &filters {
        match apply_filter(filter) {
            // ENOSYS, EINVAL: a kernel without seccomp, or without filters.
            Err(seccompiler::Error::Seccomp(error))
                if matches!(error.raw_os_error(), Some(libc::ENOSYS | libc::EINVAL)) =>
            {
                for part in [Part::Network, Part::Calls] {
                    entered.lacks(part, "no seccomp in this kernel");
                }
                if !signals_by_landlock {
                    entered.lacks(Part::Signals, "no seccomp in this kernel");
                }
                return Ok(());
            }
            result => result.map_err(|error| SandboxError::Calls(error.into()))?,
        }
    }
    entered.has(Part::Network);
    entered.has(Part::Calls);
    match (signals_by_landlock, sandbox.fork) {
        (true, _) => {}
        (false, false) => entered.has(Part::Signals),
        (false, true) => entered.lacks(Part::Signals, "Landlock of this kernel is older than Linux 6.12"),
    }
    Ok(())
}

fn filters(sandbox: &Sandbox, arch: TargetArch) -> Result<[BpfProgram; 4], seccompiler::BackendError> {
    Ok([
        unknown(),
        compiled(always(ABSENT), libc::ENOSYS, arch)?,
        compiled(refused(sandbox)?, libc::EPERM, arch)?,
        // Its own errno, and so its own filter: what a C library says of a refused socket is then "permission denied".
        compiled(sockets(sandbox)?, libc::EACCES, arch)?,
    ])
}

fn compiled(rules: Rules, errno: i32, arch: TargetArch) -> Result<BpfProgram, seccompiler::BackendError> {
    let refuse = SeccompAction::Errno(errno.unsigned_abs());
    SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch)?.try_into()
}

/// Refuses the calls that are newer than the tables with `ENOSYS`.
fn unknown() -> BpfProgram {
    /// Load a word of what the kernel gives to filters; its first is the number of the call.
    const LOAD: u16 = 0x20;
    const JUMP_IF_GREATER: u16 = 0x25;
    const RETURN: u16 = 0x06;
    const ALLOW: u32 = 0x7fff_0000;
    const ERRNO: u32 = 0x0005_0000;
    let statement = |code, k| sock_filter { code, jt: 0, jf: 0, k };
    vec![
        statement(LOAD, 0),
        sock_filter { code: JUMP_IF_GREATER, jt: 1, jf: 0, k: NEWEST },
        statement(RETURN, ALLOW),
        statement(RETURN, ERRNO | libc::ENOSYS.unsigned_abs()),
    ]
}

fn always(calls: &[c_long]) -> Rules {
    calls.iter().map(|call| (*call, Vec::new())).collect()
}

fn refused(sandbox: &Sandbox) -> Result<Rules, seccompiler::BackendError> {
    let mut rules = always(REFUSED);
    let this = u64::from(std::process::id());
    if sandbox.write.is_empty() {
        rules.extend(always(ATTRIBUTES));
    }
    if sandbox.execute.is_empty() {
        rules.extend(always(EXECUTE));
    }
    if sandbox.fork {
        let namespaces = NAMESPACES.iter().map(|flag| {
            let flag = u64::from(flag.unsigned_abs());
            all([condition(0, SeccompCmpOp::MaskedEq(flag), flag)])
        });
        rules.insert(libc::SYS_clone, namespaces.collect::<Result<_, _>>()?);
    } else {
        rules.extend(always(FORK));
        // A thread is cloned with this flag, a process without it.
        let thread = u64::from(libc::CLONE_THREAD.unsigned_abs());
        rules.insert(libc::SYS_clone, vec![all([condition(0, SeccompCmpOp::MaskedEq(thread), 0)])?]);
        for call in SIGNALS {
            rules.insert(*call, vec![all([condition(0, SeccompCmpOp::Ne, this)])?]);
        }
        rules.extend(always(&[libc::SYS_pidfd_send_signal]));
        // By the number of a thread. glibc does not use it; musl does, for its own threads.
        #[cfg(target_env = "gnu")]
        rules.insert(libc::SYS_tkill, vec![all([condition(0, SeccompCmpOp::Ne, this)])?]);
    }
    for call in SCHEDULING {
        let other = [condition(0, SeccompCmpOp::Ne, 0), condition(0, SeccompCmpOp::Ne, this)];
        rules.insert(*call, vec![all(other)?]);
    }
    // A process that the server has started ends with it.
    let outlives = condition(0, SeccompCmpOp::Eq, u64::from(libc::PR_SET_PDEATHSIG.unsigned_abs()));
    rules.insert(libc::SYS_prctl, vec![all([outlives])?]);
    let sets_a_limit =
        SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0).and_then(|it| all([Ok(it)]));
    rules.insert(libc::SYS_prlimit64, vec![sets_a_limit?]);
    let terminal = TERMINAL.iter().map(|request| all([condition(1, SeccompCmpOp::Eq, *request)]));
    rules.insert(libc::SYS_ioctl, terminal.collect::<Result<_, _>>()?);
    Ok(rules)
}

fn sockets(sandbox: &Sandbox) -> Result<Rules, seccompiler::BackendError> {
    if !sandbox.network {
        return Ok(always(&[libc::SYS_socket]));
    }
    let other = SeccompRule::new(
        FAMILIES
            .iter()
            .map(|family| condition(0, SeccompCmpOp::Ne, u64::from(family.unsigned_abs())))
            .collect::<Result<_, _>>()?,
    )?;
    // Raw packets, which root can send. The type is in the low bits, beside flags; C libraries open netlink sockets with it too.
    let raw = all([
        condition(1, SeccompCmpOp::MaskedEq(0xf), u64::from(libc::SOCK_RAW.unsigned_abs())),
        condition(0, SeccompCmpOp::Ne, u64::from(libc::AF_NETLINK.unsigned_abs())),
    ])?;
    Ok(Rules::from([(libc::SYS_socket, vec![other, raw])]))
}

fn condition(
    argument: u8,
    operator: SeccompCmpOp,
    value: u64,
) -> Result<SeccompCondition, seccompiler::BackendError> {
    // 32 bits: these arguments are C ints, whose upper half the kernel ignores.
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)
}

fn all<const N: usize>(
    conditions: [Result<SeccompCondition, seccompiler::BackendError>; N],
) -> Result<SeccompRule, seccompiler::BackendError> {
    SeccompRule::new(conditions.into_iter().collect::<Result<_, _>>()?)
}
