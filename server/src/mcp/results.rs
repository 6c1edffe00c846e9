//! Results that are too large to be shown at once. They are kept for whoever made the call, who reads them in parts.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use opentool::Caller;

/// How long a result is kept after it was last read.
pub(super) const IDLE: Duration = Duration::from_secs(15 * 60);
/// The bytes that are kept for the sessions of one key: at least one result of the size that a server allows by default.
const OF_ONE: usize = 64 << 20;
/// The bytes that are kept for all.
const OF_ALL: usize = 256 << 20;
/// The number of results that are kept for the sessions of one key.
const COUNT: usize = 64;

/// The results that are kept.
#[derive(Default)]
pub(super) struct Results {
    kept: Mutex<HashMap<String, Kept>>,
}

struct Kept {
    by: Caller,
    text: Arc<str>,
    used: Instant,
}

impl Results {
    /// Ignores poisoning: nothing panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a result, and returns its id, which nobody can guess; `None` if the system has no random number. What was idle
    /// longest is forgotten to make room: of the key itself, or of the one that has the most.
    pub(super) fn keep(self: &Arc<Self>, by: &Caller, text: String) -> Option<String> {
        let id = random_id()?;
        let mut kept = self.lock();
        kept.retain(|_, one| one.used.elapsed() < IDLE);
        make_room(&mut kept, by, text.len());
        let used = Instant::now();
        kept.insert(id.clone(), Kept { by: by.clone(), text: text.into(), used });
        drop(kept);
        self.forget_later();
        Some(id)
    }

    /// A result of this caller.
    pub(super) fn get(&self, by: &Caller, id: &str) -> Option<Arc<str>> {
        let mut kept = self.lock();
        let one = kept.get_mut(id).filter(|one| one.by == *by && one.used.elapsed() < IDLE)?;
        one.used = Instant::now();
        Some(Arc::clone(&one.text))
    }

    /// The caller has left.
    pub(super) fn leave(&self, by: &Caller) {
        self.lock().retain(|_, one| one.by != *by);
    }

    /// Frees the memory of what nobody reads any more, also if nothing else happens.
    fn forget_later(self: &Arc<Self>) {
        let results = Arc::downgrade(self);
        // Outside of a runtime they are forgotten when another one is kept.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            drop(runtime.spawn(async move {
                tokio::time::sleep(IDLE + Duration::from_secs(1)).await;
                if let Some(results) = results.upgrade() {
                    results.lock().retain(|_, one| one.used.elapsed() < IDLE);
                }
            }));
        }
    }
}

fn make_room(kept: &mut HashMap<String, Kept>, by: &Caller, bytes: usize) {
    loop {
        let mut owners: HashMap<&str, (usize, usize)> = HashMap::new();
        for one in kept.values() {
            let (count, size) = owners.entry(one.by.name()).or_default();
            *count += 1;
            *size += one.text.len();
        }
        let (count, size) = owners.get(by.name()).copied().unwrap_or_default();
        let all: usize = owners.values().map(|(_, size)| size).sum();
        let owner = if count >= COUNT || (count > 0 && size + bytes > OF_ONE) {
            Some(by.name().to_owned())
        } else if all > 0 && all + bytes > OF_ALL {
            owners.iter().max_by_key(|(_, (_, size))| *size).map(|(owner, _)| (*owner).to_owned())
        } else {
            None
        };
        let Some(owner) = owner else { return };
        let of_owner = kept.iter().filter(|(_, one)| one.by.name() == owner);
        let Some(oldest) = of_owner.min_by_key(|(_, one)| one.used).map(|(id, _)| id.clone()) else { return };
        kept.remove(&oldest);
    }
}

/// A name that nobody can guess; `None` if the system has no random number.
pub(super) fn random_id() -> Option<String> {
    let mut random = [0; 12];
    getrandom::fill(&mut random).ok()?;
    Some(random.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// So many bytes of a text from an offset on, or a few less or more where a character would be cut, and where they end.
pub(super) fn part(text: &str, offset: usize, length: usize) -> (&str, usize) {
    let is_boundary = |at: &usize| text.is_char_boundary(*at);
    let before = |at: usize| (0..=at.min(text.len())).rfind(is_boundary).unwrap_or(0);
    let begin = before(offset);
    // At least one character, so that whoever reads on gets on.
    let end = match before(begin.saturating_add(length)) {
        end if end == begin => (begin + 1..=text.len()).find(is_boundary).unwrap_or(begin),
        end => end,
    };
    (&text[begin..end], end)
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Results {
        /// How many are kept for a caller.
        fn of(&self, by: &Caller) -> usize {
            self.lock().values().filter(|one| one.by == *by).count()
        }
    }

    #[test]
    fn a_result_is_of_the_caller_that_made_the_call() {
        let results = Arc::new(Results::default());
        let (one, two) = (Caller::new("one"), Caller::new("two"));
        let session = one.clone().in_session(7);
        let id = results.keep(&session, "{}".to_owned()).expect("random numbers");
        assert_eq!(results.get(&session, &id).as_deref(), Some("{}"));
        assert_eq!([results.get(&one, &id), results.get(&two, &id)], [None, None]);
        results.leave(&session);
        assert_eq!(results.get(&session, &id), None);
    }

    #[test]
    fn a_key_that_keeps_much_loses_its_own() {
        let results = Arc::new(Results::default());
        let (one, two) = (Caller::new("one"), Caller::new("two"));
        let of_two = results.keep(&two, "x".repeat(1000)).expect("random numbers");
        let first = results.keep(&one, "x".repeat(OF_ONE / 2)).expect("random numbers");
        let second = results.keep(&one, "x".repeat(OF_ONE / 2)).expect("random numbers");
        assert!(results.get(&one, &first).is_some() && results.get(&one, &second).is_some());
        let third = results.keep(&one, "x".to_owned()).expect("random numbers");
        assert!(
            results.get(&one, &first).is_none() && results.get(&one, &third).is_some(),
            "the oldest is gone"
        );
        for _ in 0..2 * COUNT {
            results.keep(&one, String::new()).expect("random numbers");
        }
        assert_eq!(results.of(&one), COUNT);
        assert!(results.get(&two, &of_two).is_some());
    }

    #[test]
    fn a_result_that_is_larger_than_the_quota_is_kept_alone() {
        let results = Arc::new(Results::default());
        let one = Caller::new("one");
        results.keep(&one, "x".to_owned()).expect("random numbers");
        let id = results.keep(&one, "x".repeat(OF_ONE + 1)).expect("random numbers");
        assert_eq!((results.of(&one), results.get(&one, &id).map(|text| text.len())), (1, Some(OF_ONE + 1)));
    }

    #[test]
    fn the_parts_of_a_text_are_the_text() {
        let text = "aé😀b".repeat(5);
        for length in 0..20 {
            let (mut read, mut offset) = (String::new(), 0);
            while offset < text.len() {
                let (part, next) = part(&text, offset, length);
                assert!(next > offset, "{length}: it goes on");
                read.push_str(part);
                offset = next;
            }
            assert_eq!(read, text, "{length}");
        }
        assert_eq!(part(&text, 1000, 10), ("", text.len()));
    }
}
