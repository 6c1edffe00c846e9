//! Handles and states of JSON callers: tokens, each looked up before anything else is done.

use std::ffi::{CStr, c_void};
use std::ptr::{self, NonNull};

use opendyn::CallError;
use opendyn::generated::{Captured, Output, Word, same_integer, same_word, tokens};
use opendyn_model::plan::{Access, FreeArg, JsonCall, Place, Role, Shape, Step};

use crate::call::Call;
use crate::frame::Owned;

/// The tokens of an array, if the caller passed one.
pub(crate) type TokenList<'c> = Option<Vec<Option<&'c CStr>>>;

impl<'c> Call<'c> {
    /// Puts the pointers behind all tokens into their locals, and takes away those that the call frees. `None` is an
    /// error of the call.
    pub(crate) fn find_handles(&mut self, json: &JsonCall, out: &mut Output<'_>) -> Option<()> {
        let function = self.function;
        for (index, param) in function.plan.params.iter().enumerate() {
            let (Some(argument), Some(of)) = (&param.argument, self.local(index).token) else { continue };
            let (key, shape) = (param.key.as_str(), &argument.shape);
            if matches!(shape, Shape::Handles { .. }) {
                self.find_list(index, key, of, out)?;
                continue;
            }
            let token = self.token(index);
            let is_freed = matches!(
                shape,
                Shape::Handle { access: Access::Owned, .. } | Shape::State { access: Access::Owned, .. }
            );
            let found = if let Role::Taken(into) = self.param(index).role {
                let others = (0..function.plan.params.len()).filter(|other| {
                    let is_token =
                        matches!(self.shape(*other), Some(Shape::Handle { .. } | Shape::State { .. }));
                    is_token && *other != index
                });
                let others: Vec<_> = others.map(|other| self.token(other)).collect();
                match into {
                    Some(Place::Returned) => out.handle_for_result(key, token, of, &others),
                    Some(Place::Param(into)) => {
                        out.passable_handle(key, token, of, self.token(into), &others)
                    }
                    None => out.passable_handle(key, token, of, None, &others),
                }
            } else if is_freed {
                out.freeable_handle(key, token, of)
            } else {
                out.handle(key, token, of)
            };
            self.set_pointer(index, found?.map_or(ptr::null_mut(), NonNull::as_ptr));
        }
        self.find_cancelled(out);
        for step in &self.function.plan.steps {
            if let Step::SameArguments { param, .. } = step {
                self.remembered = out.captured(self.token(*param));
            }
        }
        if json.distinct.len() > 1 {
            let keys: Vec<&'static str> =
                json.distinct.iter().map(|index| self.param(*index).key.as_str()).collect();
            let pointers: Vec<_> =
                json.distinct.iter().map(|index| NonNull::new(self.pointer(*index))).collect();
            out.distinct(&keys, &pointers)?;
        }
        for (list, other) in &json.apart {
            let (key, other_key) = (&self.param(*list).key, &self.param(*other).key);
            out.apart(key, self.pointers_of(*list), other_key, NonNull::new(self.pointer(*other)))?;
        }
        for outside in &json.outside {
            let is_list = |index: &&usize| matches!(self.shape(**index), Some(Shape::Handles { .. }));
            let (lists, single): (Vec<&usize>, Vec<&usize>) = outside.others.iter().partition(is_list);
            let single: Vec<_> = single.into_iter().map(|index| self.token(*index)).collect();
            let lists: Vec<_> =
                lists.into_iter().map(|index| self.args.get(self.local(*index).field?)).collect();
            let (key, token) = (&self.param(outside.gone).key, self.token(outside.gone));
            let ends = outside.ends_children.then_some(self.function.plan.name.as_str());
            out.outside(key, token, ends, &single, &lists)?;
        }
        for index in &json.ending {
            let key = self.param(*index).key.as_str();
            out.end_children(key, self.token(*index), &self.function.plan.name)?;
        }
        Some(())
    }

    /// Removes the tokens of the handles that the call has freed.
    pub(crate) fn remove_handles(&mut self, out: &mut Output<'_>) {
        for (index, param) in self.function.plan.params.iter().enumerate() {
            if let Some(
                Shape::Handle { access: Access::Owned, .. } | Shape::State { access: Access::Owned, .. },
            ) = self.shape(index)
                && let Some(of) = self.local(index).token
                && !matches!(param.role, Role::Taken(_))
            {
                let kept = out.take_handle(&param.key, self.token(index), of);
                self.owned.extend(kept.filter(|kept| !kept.is_empty()).map(Owned::Gone));
            }
        }
    }

    /// Passes the handles that C has taken on to it. If the call `succeeded`, its result takes its own when it is put.
    pub(crate) fn pass_handles(&mut self, succeeded: bool, out: &mut Output<'_>) {
        for index in std::mem::take(&mut self.taken) {
            let into = match self.param(index).role {
                Role::Taken(Some(Place::Returned)) if succeeded => continue,
                Role::Taken(Some(Place::Param(into))) => self.token(into),
                _ => None,
            };
            let function = &self.function.plan.name;
            match self.shape(index) {
                Some(Shape::Handles { .. }) => out.pass_handles(self.token_list(index), into, function),
                _ => out.pass_handle(self.token(index), into, function),
            }
        }
    }

    /// The tokens of the handles that C has taken into the one at `place`: of single ones, and of arrays.
    pub(crate) fn taken_into(&self, place: Place) -> (Vec<Option<&'c CStr>>, Vec<TokenList<'c>>) {
        let (mut single, mut lists) = (Vec::new(), Vec::new());
        for (index, param) in self.function.plan.params.iter().enumerate() {
            if param.role == Role::Taken(Some(place)) {
                match self.shape(index) {
                    Some(Shape::Handles { .. }) => lists.push(self.token_list(index)),
                    _ => single.push(self.token(index)),
                }
            }
        }
        (single, lists)
    }

    /// The further arguments of the function that frees in the way at `free`.
    pub(crate) fn captured(&mut self, free: usize) -> Captured {
        let captures = &self.bound.kinds().types().frees[free].captures;
        captures.iter().map(|index| self.word(*index)).collect()
    }

    /// Compares the arguments with those that the handle to free was made with.
    pub(crate) fn same_arguments(
        &mut self,
        freed: usize,
        args: &'static [(usize, FreeArg)],
    ) -> Result<(), CallError> {
        if self.pointer(freed).is_null() {
            return Ok(());
        }
        for (index, arg) in args {
            let key = &self.function.plan.params[*index].key;
            match arg {
                FreeArg::Value => {}
                FreeArg::Integer(value) => same_integer(key, *value, self.integer(Place::Param(*index)))?,
                FreeArg::Captured(position) => {
                    let word = self.word(*index);
                    same_word(key, &self.remembered, *position, word)?;
                }
            }
        }
        Ok(())
    }

    /// What C was passed for the parameter at `index`, as a word.
    fn word(&mut self, index: usize) -> u64 {
        let is_pointer = self.function.plan.signature.params[index].stars > 0;
        let at = self.operand(index);
        if is_pointer {
            // SAFETY: the operand of a pointer is the address of one.
            return unsafe { at.cast::<*mut c_void>().read() }.to_word();
        }
        // SAFETY: the operand of a scalar is the address of one of this type.
        unsafe { self.local(index).number.raw(at.cast()) }
    }

    /// The token that the caller passed.
    pub(crate) fn token(&self, index: usize) -> Option<&'c CStr> {
        self.args.get(self.local(index).field?)
    }

    /// The tokens of the array that the caller passed.
    pub(crate) fn token_list(&self, index: usize) -> TokenList<'c> {
        self.local(index).field.and_then(|field| self.args.get(field))
    }

    /// The tokens of the handles in these parameters, each of which may be an array.
    pub(crate) fn tokens(&self, params: &[usize]) -> Vec<&'c CStr> {
        let (mut single, mut lists) = (Vec::new(), Vec::new());
        for param in params {
            match (self.shape(*param), self.local(*param).field) {
                (Some(Shape::Handles { .. }), Some(field)) => lists.push(self.args.get(field)),
                _ => single.extend(self.token(*param)),
            }
        }
        tokens(&single, &lists)
    }

    /// The pointer at a place belongs to a table of handles now: the call does not free it.
    pub(crate) fn release(&mut self, place: Place) {
        // SAFETY: both places have room for a pointer, and are aligned for it.
        unsafe { self.place(place).cast::<*mut ()>().write(ptr::null_mut()) };
    }
}
