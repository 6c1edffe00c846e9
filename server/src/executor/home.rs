//! The runtime that one thread of an executor drives while it makes no call. A task that runs there has its calls made without
//! another thread being woken, which costs more than most calls.
//!
//! While the thread makes a call, nobody drives the runtime. If that takes more than a moment, the `watch`, another thread,
//! drives it until the call has ended: however long a call takes, connections are served and deadlines kept. All calls of
//! the thread are still made by it alone.

use std::future::Future;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};
use std::thread::{self, Thread, ThreadId};
use std::time::Duration;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// How long the runtime may stand still for a call. On a machine with much to do a thread is often interrupted for less.
const MOMENT: Duration = Duration::from_millis(3);

/// How many connections are served there. With more, calls wait for each other and not for a thread to wake, and the
/// runtime of the server has more threads.
const SEATS: u32 = 2;

/// The runtime, for the thread that makes calls and for those who wake it.
pub(super) struct Home {
    handle: Handle,
    /// The thread that makes calls, once it is there.
    thread: OnceLock<ThreadId>,
    /// There may be a call for the thread.
    called: Notify,
    /// Odd while the thread is away: it makes calls.
    turns: AtomicU64,
    /// The thread is back.
    back: Notify,
    watch: OnceLock<Thread>,
    is_parked: AtomicBool,
    is_driving: AtomicBool,
    is_over: AtomicBool,
    seats: Arc<Semaphore>,
}

/// A place for a connection. The runtime is driven at least until it is dropped.
#[derive(Debug)]
pub(crate) struct Seat {
    handle: Handle,
    _permit: OwnedSemaphorePermit,
}

impl Seat {
    /// Where its tasks are spawned.
    pub(crate) fn handle(&self) -> &Handle {
        &self.handle
    }
}

/// Drives the runtime. It belongs to the thread that makes calls.
pub(super) struct Driver {
    home: Arc<Home>,
    runtime: Arc<Runtime>,
}

impl Home {
    /// A home, its driver, and the watch. The thread is away until the driver waits.
    pub(super) fn new() -> io::Result<(Arc<Self>, Driver)> {
        let runtime = Arc::new(Builder::new_current_thread().enable_all().build()?);
        let home = Arc::new(Self {
            handle: runtime.handle().clone(),
            thread: OnceLock::new(),
            called: Notify::new(),
            turns: AtomicU64::new(1),
            back: Notify::new(),
            watch: OnceLock::new(),
            is_parked: AtomicBool::new(false),
            is_driving: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
            seats: Arc::new(Semaphore::new(SEATS as usize)),
        });
        let driver = Driver { home: Arc::clone(&home), runtime: Arc::clone(&runtime) };
        let watched = Arc::clone(&home);
        let watch = thread::Builder::new().name("watch".to_owned()).spawn(move || watched.watch(&runtime))?;
        let _ = home.watch.set(watch.thread().clone());
        // It may have looked before.
        watch.thread().unpark();
        Ok((home, driver))
    }

    /// Whether this is the thread that makes calls: it is in a task of the runtime, or has a call to make.
    pub(super) fn is_here(&self) -> bool {
        self.thread.get() == Some(&thread::current().id())
    }

    /// The thread looks whether there is a call.
    pub(super) fn call(&self) {
        self.called.notify_one();
    }

    /// A place, if there is one left.
    pub(super) fn seat(&self) -> Option<Seat> {
        if self.is_over.load(SeqCst) {
            return None;
        }
        let permit = Arc::clone(&self.seats).try_acquire_owned().ok()?;
        Some(Seat { handle: self.handle.clone(), _permit: permit })
    }

    /// Drives the runtime whenever the thread is away for more than a moment.
    fn watch(&self, runtime: &Runtime) {
        while !self.is_over.load(SeqCst) {
            self.is_parked.store(true, SeqCst);
            // The thread turns first and then looks whether the watch is parked, so that one of the two sees the other.
            if self.turns.load(SeqCst).is_multiple_of(2) {
                thread::park();
            }
            self.is_parked.store(false, SeqCst);
            let turn = self.turns.load(SeqCst);
            // Also if the thread is back already: it wakes the watch at most once in a moment.
            thread::sleep(MOMENT);
            if turn.is_multiple_of(2) {
                continue;
            }
            self.is_driving.store(true, SeqCst);
            if self.turns.load(SeqCst) == turn && !self.is_over.load(SeqCst) {
                runtime.block_on(self.back.notified());
            }
            self.is_driving.store(false, SeqCst);
        }
    }
}

impl Driver {
    /// Runs `first` in the runtime, and then drives it until there may be a call.
    pub(super) fn wait(&self, first: impl FnOnce()) {
        self.drive(async {
            first();
            self.home.called.notified().await;
        });
    }

    /// Runs `first` in the runtime, and lets the tasks run once.
    pub(super) fn look(&self, first: impl FnOnce()) {
        self.drive(async {
            first();
            tokio::task::yield_now().await;
        });
    }

    fn drive(&self, until: impl Future<Output = ()>) {
        let home = &self.home;
        let _ = home.thread.get_or_init(|| thread::current().id());
        home.turns.fetch_add(1, SeqCst);
        if home.is_driving.load(SeqCst) {
            home.back.notify_one();
        }
        self.runtime.block_on(until);
        home.turns.fetch_add(1, SeqCst);
        if home.is_parked.load(SeqCst)
            && let Some(watch) = home.watch.get()
        {
            watch.unpark();
        }
    }

    /// There are no more calls: drives the runtime until the last connection has left.
    pub(super) fn end(self) {
        let home = &self.home;
        home.is_over.store(true, SeqCst);
        self.drive(async { drop(home.seats.acquire_many(SEATS).await) });
    }
}
