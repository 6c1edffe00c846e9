//! C signatures, prepared for libffi.

use std::ffi::c_void;
use std::fmt;

use libffi::low::{CodePtr, ffi_abi, ffi_abi_FFI_DEFAULT_ABI, ffi_cif};
use libffi::middle::{Cif, Type};
use libffi::raw::ffi_call;
use opendyn::generated::{COMPLEX_IS_A_PAIR, HAS_BIT_FIELDS, UNIONS_BY_VALUE};
use opendyn_model::plan::{CBase, CCallback, CSignature, CValue, Convention, Overlap, Record, Types};

use crate::number::{Form, Number};
use crate::unions;

/// A C signature, prepared.
pub(crate) struct Interface(Cif);

// SAFETY: it owns everything that it points to, and nothing is written after it is made.
unsafe impl Send for Interface {}
// SAFETY: as above; a call only reads it.
unsafe impl Sync for Interface {}

impl Interface {
    /// Prepares a signature.
    ///
    /// # Errors
    ///
    /// libffi cannot call it; the message says why.
    pub(crate) fn new(signature: &CSignature, types: &Types) -> Result<Self, String> {
        let passed = |(index, value): (usize, &CValue)| match signature.promoted(index) {
            Some(promoted) => of_number(Number::of(promoted)),
            None => of_value(value, types),
        };
        if signature.params.iter().chain(&signature.returns).any(|value| members(value, types) > MEMBERS) {
            return Err(format!("a struct with more than {MEMBERS} members is passed by value"));
        }
        if !COMPLEX_IS_A_PAIR
            && signature.params.iter().chain(&signature.returns).any(|value| value.is_complex(types))
        {
            return Err("a complex number by value is not passed like a struct on this target".to_owned());
        }
        let is_union = |value: &CValue| value.is_union(types);
        if !UNIONS_BY_VALUE && signature.params.iter().chain(&signature.returns).any(is_union) {
            return Err("libffi cannot pass a union by value on this target".to_owned());
        }
        let has_bits = |value: &CValue| matches!(value.base, CBase::Record(record) if types.records[record].reaches(&types.records, &Record::has_bits));
        if !HAS_BIT_FIELDS && signature.params.iter().chain(&signature.returns).any(has_bits) {
            return Err("the rules for bit fields are others on this target".to_owned());
        }
        let params: Vec<Type> = signature.params.iter().enumerate().map(passed).collect();
        let returns = signature.returns.as_ref().map_or_else(Type::void, |value| of_value(value, types));
        let abi = abi(signature.convention);
        let cif = match &signature.variadic {
            Some(fixed) => Cif::try_new_variadic_with_abi(params, fixed.value, returns, abi),
            None => Cif::try_new_with_abi(params, returns, abi),
        };
        cif.map(Self).map_err(|error| format!("libffi cannot call it: {error:?}"))
    }

    /// Prepares the signature of a callback.
    ///
    /// # Errors
    ///
    /// libffi cannot make such a function; the message says why.
    pub(crate) fn of_callback(callback: &CCallback, types: &Types) -> Result<Self, String> {
        let params: Vec<Type> = callback.params.iter().map(|(_, value)| of_value(value, types)).collect();
        let returns = callback.returns.as_ref().map_or_else(Type::void, |value| of_value(value, types));
        let cif = Cif::try_new(params, returns);
        cif.map(Self).map_err(|error| format!("libffi cannot make a callback: {error:?}"))
    }

    /// The signature, as libffi has it.
    pub(crate) fn as_raw_ptr(&self) -> *mut ffi_cif {
        self.0.as_raw_ptr()
    }

    /// Calls `function`. `arguments` are the addresses of the values; `returned` is where the result is written, an
    /// integer that is narrower than a register as a whole register.
    ///
    /// # Safety
    ///
    /// `function` has this signature, `arguments` has one address per parameter, each of a value of its type, and
    /// `returned` is aligned and has room for the result and for a register. What the function does with these
    /// values is sound.
    #[inline]
    pub(crate) unsafe fn call(
        &self,
        function: *const (),
        arguments: *mut *mut c_void,
        returned: *mut c_void,
    ) {
        let function = CodePtr::from_ptr(function.cast());
        // SAFETY: the caller guarantees the function, its arguments and the room for its result.
        unsafe { ffi_call(self.0.as_raw_ptr(), Some(*function.as_fun()), returned, arguments) }
    }
}

impl fmt::Debug for Interface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Interface").finish_non_exhaustive()
    }
}

/// `stdcall` differs from the default only on 32-bit x86.
fn abi(convention: Convention) -> ffi_abi {
    match convention {
        Convention::Cdecl => ffi_abi_FFI_DEFAULT_ABI,
        #[cfg(target_arch = "x86")]
        Convention::Stdcall => libffi::raw::ffi_abi_FFI_STDCALL,
        #[cfg(not(target_arch = "x86"))]
        Convention::Stdcall => ffi_abi_FFI_DEFAULT_ABI,
    }
}

fn of_value(value: &CValue, types: &Types) -> Type {
    match &value.base {
        CBase::Scalar(c_type) if value.stars == 0 => of_number(Number::of(*c_type)),
        CBase::Record(record) if value.stars == 0 => {
            if types.records[*record].overlap == Some(Overlap::Members) {
                return unions::by_value(*record, types);
            }
            let fields = types.records[*record].fields();
            let members = fields.flat_map(|field| of_member(&CValue::field(&field.of), types));
            Type::structure(members.collect::<Vec<Type>>())
        }
        CBase::Scalar(_) | CBase::Record(_) | CBase::Handle(_) | CBase::Function(_) => Type::pointer(),
    }
}

/// The maximum number of members of a struct that is passed by value, with the elements of arrays in it: libffi lists
/// them.
const MEMBERS: u64 = 1 << 16;

/// How many scalars a value consists of.
fn members(value: &CValue, types: &Types) -> u64 {
    let one = match &value.base {
        CBase::Record(record) if value.stars == 0 => {
            let fields = types.records[*record].fields();
            fields.fold(0_u64, |sum, field| sum.saturating_add(members(&CValue::field(&field.of), types)))
        }
        CBase::Scalar(_) | CBase::Record(_) | CBase::Handle(_) | CBase::Function(_) => 1,
    };
    one.saturating_mul(value.count.unwrap_or(1))
}

/// libffi has no arrays: one in place is as many members.
fn of_member(member: &CValue, types: &Types) -> Vec<Type> {
    let count = member.count.map_or(1, |count| usize::try_from(count).unwrap_or(usize::MAX));
    vec![of_value(member, types); count]
}

fn of_number(number: Number) -> Type {
    match (number.size, number.form) {
        (1, Form::Signed) => Type::i8(),
        (1, _) => Type::u8(),
        (2, Form::Signed) => Type::i16(),
        (2, _) => Type::u16(),
        (4, Form::Signed) => Type::i32(),
        (4, Form::Unsigned) => Type::u32(),
        (4, Form::Floating) => Type::f32(),
        (_, Form::Signed) => Type::i64(),
        (_, Form::Unsigned) => Type::u64(),
        (_, Form::Floating) => Type::f64(),
    }
}
