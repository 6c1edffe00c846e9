//! The parts that scripts are made of: the classes, functions and constants of `values.py` and `memory.py`.
//!
//! The table says what each part needs in turn. A script records the parts that it names, so that nothing has to
//! be found in its text.

/// What reads and shows values, and what moves them to C and back. Two blank lines separate the parts.
const FILES: [&str; 2] = [include_str!("values.py"), include_str!("memory.py")];

/// A module of Python's standard library, in the order of imports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Module {
    Base64,
    Ctypes,
    Math,
    Os,
    Platform,
    Sys,
}

impl Module {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Base64 => "base64",
            Self::Ctypes => "ctypes",
            Self::Math => "math",
            Self::Os => "os",
            Self::Platform => "platform",
            Self::Sys => "sys",
        }
    }
}

macro_rules! parts {
    ($($part:ident $name:ident [$($need:ident)*] [$($module:ident)*])*) => {
        /// A part, in the order of the files.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(super) enum Part {
            $($part,)*
        }

        impl Part {
            pub(super) const ALL: &'static [Self] = &[$(Self::$part),*];

            /// The name in Python.
            pub(super) fn name(self) -> &'static str {
                match self {
                    $(Self::$part => stringify!($name),)*
                }
            }

            /// The parts that it names.
            pub(super) fn needs(self) -> &'static [Self] {
                match self {
                    $(Self::$part => &[$(Self::$need),*],)*
                }
            }

            /// The modules that it names.
            pub(super) fn modules(self) -> &'static [Module] {
                match self {
                    $(Self::$part => &[$(Module::$module),*],)*
                }
            }
        }
    };
}

parts! {
    // values.py
    Refused _Refused [] []
    Failed _Failed [] []
    Code _Code [] []
    PathStep _step [] []
    Arguments _Arguments [Refused PathStep] []
    Boolean _Boolean [Refused] []
    Integer _Integer [Refused] [Ctypes]
    Choice _Choice [Refused Integer] []
    Number _Number [Refused Failed] [Ctypes Math]
    Character _Character [Refused Encode Decode] []
    Text _Text [Refused Unit Encode UntilNul] []
    InPlace _InPlace [Refused Text Unit IsBinary Decode UntilNul] [Ctypes]
    StringPointer _StringPointer [Text Decode] [Ctypes]
    Nothing _Nothing [Refused] [Ctypes]
    List _List [Refused PathStep] []
    Record _Record [Refused Failed PathStep Nothing] [Ctypes]
    Unit _unit [] []
    IsBinary _is_binary [] []
    Encode _encode [Refused] [Base64 Sys]
    Decode _decode [Failed] [Base64 Sys]
    UntilNul _until_nul [] []
    // memory.py
    Copied _copied [Failed] [Ctypes]
    Memory _memory [] [Ctypes]
    Array _array [] []
    Strings _strings [] [Ctypes]
    Pointed _pointed [] []
    Reference _reference [] [Ctypes]
    Left _left [] []
    Shown _shown [] []
    Back _back [Decode Copied] [Ctypes]
    First _first [] []
    Length _length [Refused PathStep] []
    Same _same [Refused PathStep] []
    Capacity _Capacity [Integer] []
    Buffer _Buffer [Failed Copied] [Ctypes]
    Elements _elements [] [Ctypes]
    TextOf _text [Decode UntilNul] []
    BytesOf _bytes [Decode] []
    IsNull _is_null [Failed] []
    Count _count [Failed] [Sys]
    StringAt _string_at [Copied] [Ctypes Sys]
    StringOf _string [Decode IsNull StringAt] []
    ValueOf _value [Copied IsNull] [Ctypes]
    DataOf _data [Copied IsNull] [Ctypes]
    CharactersOf _characters [Decode IsNull StringAt] []
    ListOf _list_at [IsNull StringOf] [Ctypes]
    Success _success [Code] []
    Free _free [Function] [Ctypes]
    Function _function [Failed] []
    IsCharSigned _is_char_signed [] [Platform Sys]
    Char _CHAR [IsCharSigned] [Ctypes]
}

/// The classes of exceptions.
pub(super) const RAISED: [Part; 3] = [Part::Refused, Part::Failed, Part::Code];

/// The text of every part, in the order of [`Part::ALL`].
pub(super) fn texts() -> impl Iterator<Item = &'static str> {
    FILES.iter().flat_map(|file| file.split("\n\n\n")).map(str::trim)
}
