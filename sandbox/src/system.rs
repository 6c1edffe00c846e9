//! What every sandboxed process may read of the system, as data. Paths that do not exist are left out.
//!
//! The rule: what the system's own packages install for every program, and no settings or state of the machine. `/etc` is not here as a
//! whole: it holds passwords and private keys, which a server that runs as root could read.

/// Files and folders of the system that can be read.
pub const SYSTEM_FILES: &[&str] = &[
    // Shared libraries, and what the loader needs to find them.
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/local/lib",
    "/usr/local/lib64",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/ld-musl-x86_64.path",
    "/etc/ld-musl-aarch64.path",
    // Packages of NixOS and Guix, which everybody can read.
    "/nix/store",
    "/gnu/store",
    // Locales, time zones, fonts, certificates, character sets, and other data of packages.
    "/usr/share",
    "/usr/local/share",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/fonts",
    "/etc/mime.types",
    // Not the folder: `/etc/ssl/private` is in it.
    "/etc/ssl/certs",
    "/etc/ssl/cert.pem",
    "/etc/ssl/openssl.cnf",
    "/etc/ca-certificates",
    "/etc/pki/tls/certs",
    "/etc/pki/tls/cert.pem",
    "/etc/pki/tls/openssl.cnf",
    "/etc/pki/ca-trust/extracted",
    "/etc/crypto-policies",
    // What C libraries ask about the machine: the number of processors, the size of memory, whether memory is overcommitted.
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/vm/overcommit_memory",
    "/sys/devices/system/cpu",
    "/sys/kernel/mm/transparent_hugepage",
    // The process itself: its mappings, threads and descriptors. Not those of others, where the environment of the server is.
    "/proc/self",
];

/// Devices that can be read, and of which `/dev/null`, `/dev/zero` and `/dev/full` can be written: they keep nothing.
pub const SYSTEM_DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// What finding the address of a host needs. Readable with a network.
pub const NETWORK_FILES: &[&str] = &[
    "/etc/gai.conf",
    "/etc/host.conf",
    "/etc/hosts",
    "/etc/nsswitch.conf",
    "/etc/protocols",
    "/etc/resolv.conf",
    "/etc/services",
    // What `/etc/resolv.conf` links to.
    "/run/systemd/resolve",
    "/run/NetworkManager/resolv.conf",
    "/run/resolvconf",
];
