//! Limits of arguments that the reader does not check.

use opendyn::CallError;
use opendyn::generated::{elements_within, limited, within};
use opendyn_model::plan::{Bound, Place, Shape};

use crate::call::Call;

impl Call<'_> {
    /// The limits that the reader does not know: of the number of elements, and of lengths and capacities.
    pub(crate) fn limits(&self, index: usize) -> Result<(), CallError> {
        let param = self.param(index);
        let checked = match self.shape(index) {
            None | Some(Shape::Capacity(_)) => {
                let (least, most) =
                    (param.limits.least.map(Bound::integer), param.limits.most.map(Bound::integer));
                within(self.integer(Place::Param(index)), least, most)
            }
            Some(Shape::List { .. } | Shape::Strings { .. } | Shape::Handles { .. }) => {
                match (self.length(index), param.limits.length) {
                    (Some(length), Some(most)) => elements_within(length, most),
                    _ => Ok(()),
                }
            }
            Some(_) => Ok(()),
        };
        limited(&param.key, checked)
    }
}
