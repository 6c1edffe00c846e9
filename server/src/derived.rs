//! Values that are made from a document, kept as long as it is one of the last few.

use std::sync::{Arc, Mutex, PoisonError};

use opentool::OpenTool;

/// The number of values that are kept. Callers with the same rules share one.
const KEPT: usize = 32;

/// Values by document and by a further key. A document that changes is a new one.
pub(crate) struct Derived<K, T> {
    kept: Mutex<Vec<(Arc<OpenTool>, K, T)>>,
}

impl<K, T> Default for Derived<K, T> {
    fn default() -> Self {
        Self { kept: Mutex::new(Vec::new()) }
    }
}

impl<K: PartialEq + Clone, T: Clone> Derived<K, T> {
    /// The value for `document` and `key`, which `make` makes if it is not kept.
    pub(crate) fn get<E>(
        &self,
        document: &Arc<OpenTool>,
        key: &K,
        make: impl FnOnce(&OpenTool) -> Result<T, E>,
    ) -> Result<T, E> {
        let found = |kept: &[(Arc<OpenTool>, K, T)]| {
            let mut kept = kept.iter();
            kept.find(|(of, with, _)| Arc::ptr_eq(of, document) && with == key)
                .map(|(_, _, value)| value.clone())
        };
        if let Some(value) = found(&self.kept.lock().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(value);
        }
        let value = make(document)?;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have been faster; all must see the same value.
        if let Some(value) = found(&kept) {
            return Ok(value);
        }
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push((Arc::clone(document), key.clone(), value.clone()));
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    #[test]
    fn a_value_is_made_once_per_document_and_key() {
        let derived: Derived<u8, Arc<u8>> = Derived::default();
        let (one, other) = (Arc::new(OpenTool::default()), Arc::new(OpenTool::default()));
        let get = |document, key: u8| derived.get(document, &key, |_| Ok::<_, Infallible>(Arc::new(key)));
        let same = |a: Result<Arc<u8>, Infallible>, b: Result<Arc<u8>, Infallible>| match (a, b) {
            (Ok(a), Ok(b)) => Arc::ptr_eq(&a, &b),
        };
        assert!(same(get(&one, 1), get(&one, 1)));
        assert!(!same(get(&one, 1), get(&other, 1)));
        assert!(!same(get(&one, 1), get(&one, 2)));
        for key in 3..100 {
            let _ = get(&one, key);
        }
        assert_eq!(derived.kept.lock().map(|kept| kept.len()).ok(), Some(KEPT));
    }
}
