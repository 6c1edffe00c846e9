"""Saves and restores the state of the process around a script. Precedes `worker.py`."""

import os
import sys
import threading

try:
    import _signal as signal  # without the enums, which cost more than a call
except ImportError:
    import signal

# The signals that a script may handle.
SIGNALS = [getattr(signal, name) for name in (
    'SIGALRM', 'SIGVTALRM', 'SIGPROF', 'SIGHUP', 'SIGINT', 'SIGTERM', 'SIGUSR1', 'SIGUSR2', 'SIGCHLD',
    'SIGQUIT', 'SIGPIPE', 'SIGIO', 'SIGWINCH', 'SIGCONT') if hasattr(signal, name)]
# All signals: a Python handler for a fault would be called by the same fault endlessly.
HANDLED = sorted(signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP})


def block():
    """Blocks signals outside of scripts, because a handler that raises would leave an incomplete message."""
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)


def unblock():
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)


def current_folder():
    try:
        return os.getcwd()
    except OSError:
        return None


def flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:
            pass


class Surroundings:
    """Restores descriptors, streams, signals and so on to their state before a call."""

    def __init__(self, log):
        self.log = log
        self.log_file = os.fstat(log)
        self.main_thread = threading.current_thread()
        sys.stdout, sys.stderr = self.stream(1), self.stream(2)
        sys.stdin = open(0, closefd=False)

    @staticmethod
    def stream(descriptor):
        return open(descriptor, 'w', buffering=1, encoding='utf-8', errors='backslashreplace', closefd=False)

    @staticmethod
    def now():
        return ([(number, signal.getsignal(number)) for number in HANDLED], current_folder(),
                sys.getrecursionlimit(), sys.stdout, sys.stderr)

    def restore(self, saved, outermost):
        handlers, folder, recursion, out, error = saved
        if sys.getrecursionlimit() != recursion:
            sys.setrecursionlimit(recursion)
        if threading.current_thread() is self.main_thread:
            if outermost:
                sys.settrace(None)
                sys.setprofile(None)
                for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
                    signal.setitimer(timer, 0)
            for number, handler in handlers:
                # None stands for a handler that was not set by Python and cannot be restored.
                if handler is not None and signal.getsignal(number) != handler:
                    signal.signal(number, handler)
        if folder is not None and current_folder() != folder:
            try:
                os.chdir(folder)
            except OSError:
                pass
        for descriptor in (1, 2):
            if not self.is_log(descriptor):
                os.dup2(self.log, descriptor)
        flush()
        sys.stdout = self.stream(1) if getattr(out, 'closed', False) else out
        sys.stderr = self.stream(2) if getattr(error, 'closed', False) else error

    def is_log(self, descriptor):
        try:
            now = os.fstat(descriptor)
        except OSError:
            return False
        return now.st_ino == self.log_file.st_ino and now.st_dev == self.log_file.st_dev
