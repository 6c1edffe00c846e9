//! The sizes of C types on a target.

use opendyn_model::data_model::DataModel;

/// The data model of a target: everything that the sizes of C types depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The size of a pointer in bytes.
    pub pointer: u64,
    /// The size of `long` in bytes.
    pub long: u64,
    /// The size of `long double` in bytes.
    pub long_double: u64,
    /// The size of `wchar_t` in bytes.
    pub wide_char: u64,
    /// Whether `char` is signed.
    pub char_signed: bool,
    /// The alignment of an 8-byte integer or floating-point number in a struct.
    pub align_of_8: u64,
    /// Whether `stdcall` differs from the default convention: 32-bit x86.
    pub has_stdcall: bool,
}

impl Target {
    /// The target that `triple` names, such as `x86_64-unknown-linux-gnu`; `None` for an unknown
    /// architecture.
    #[must_use]
    pub fn of_triple(triple: &str) -> Option<Self> {
        let architecture = triple.split('-').next().unwrap_or(triple);
        let windows = triple.contains("windows") || triple.contains("mingw") || triple.contains("cygwin");
        let apple = triple.contains("apple") || triple.contains("darwin");
        let (pointer, x86) = match architecture {
            "x86_64" | "amd64" => (8, true),
            "i386" | "i486" | "i586" | "i686" | "x86" => (4, true),
            "aarch64" | "arm64" | "arm64e" | "riscv64" | "riscv64gc" | "powerpc64" | "powerpc64le"
            | "ppc64le" | "s390x" | "loongarch64" | "mips64" | "mips64el" => (8, false),
            "riscv32" | "powerpc" | "mips" | "mipsel" => (4, false),
            name if name.starts_with("arm") || name.starts_with("thumb") => (4, false),
            _ => return None,
        };
        let gnu_windows = windows && triple.contains("gnu");
        Some(Self {
            pointer,
            long: if windows { 4 } else { pointer },
            long_double: match (windows, x86, pointer) {
                (true, ..) if !gnu_windows => 8,
                (_, true, 8) => 16,
                (_, true, _) => 12,
                (_, false, _) if apple => 8,
                (_, false, 8) => 16,
                _ => 8,
            },
            wide_char: if windows { 2 } else { 4 },
            char_signed: x86
                || windows
                || apple
                || architecture.starts_with("mips")
                || architecture.starts_with("loongarch"),
            align_of_8: if x86 && pointer == 4 && !windows { 4 } else { 8 },
            has_stdcall: x86 && pointer == 4,
        })
    }

    /// The data model, which the table of C types goes by.
    #[must_use]
    pub fn data_model(&self) -> DataModel {
        match (self.pointer, self.long, self.wide_char) {
            (8, 8, _) => DataModel::Unix64,
            (8, ..) => DataModel::Windows64,
            (_, _, 2) => DataModel::Windows32,
            _ => DataModel::Unix32,
        }
    }

    /// The target that this program was compiled for.
    #[must_use]
    pub fn host() -> Self {
        let system = match std::env::consts::OS {
            "windows" if cfg!(target_env = "gnu") => "pc-windows-gnu",
            "windows" => "pc-windows-msvc",
            "macos" => "apple-darwin",
            _ => "unknown-linux-gnu",
        };
        Self::of_triple(&format!("{}-{system}", std::env::consts::ARCH)).unwrap_or(Self {
            pointer: size_of::<usize>() as u64,
            long: size_of::<core::ffi::c_long>() as u64,
            long_double: 16,
            wide_char: 4,
            char_signed: core::ffi::c_char::MIN < 0,
            align_of_8: align_of::<u64>() as u64,
            has_stdcall: false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_models_are_those_of_the_targets() {
        for (triple, pointer, long, long_double, char_signed) in [
            ("x86_64-unknown-linux-gnu", 8, 8, 16, true),
            ("i686-unknown-linux-gnu", 4, 4, 12, true),
            ("x86_64-pc-windows-msvc", 8, 4, 8, true),
            ("x86_64-pc-windows-gnu", 8, 4, 16, true),
            ("aarch64-unknown-linux-gnu", 8, 8, 16, false),
            ("aarch64-apple-darwin", 8, 8, 8, true),
            ("armv7-unknown-linux-gnueabihf", 4, 4, 8, false),
        ] {
            let target = Target::of_triple(triple).expect(triple);
            let found = (target.pointer, target.long, target.long_double, target.char_signed);
            assert_eq!(found, (pointer, long, long_double, char_signed), "{triple}");
        }
        assert_eq!(Target::of_triple("pdp11-unknown-unix"), None);
    }

    #[test]
    fn the_host_is_as_the_compiler_has_it() {
        let host = Target::host();
        assert_eq!(host.pointer, size_of::<usize>() as u64);
        assert_eq!(host.long, size_of::<core::ffi::c_long>() as u64);
        assert_eq!(host.char_signed, core::ffi::c_char::MIN < 0);
    }
}
