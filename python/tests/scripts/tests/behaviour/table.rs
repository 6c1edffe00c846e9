//! Scripts that misbehave, and the results of their calls.

/// The expected result of a call.
pub enum Expected {
    /// It returns this data.
    Data(&'static str),
    /// The error begins with this text.
    Error(&'static str),
    /// The data or the beginning of the error is one of these, depending on timing.
    OneOf(&'static [&'static str]),
}

use Expected::{Data, Error, OneOf};

/// How long a behaviour takes; slow ones are drawn rarely.
pub enum Cost {
    /// It takes as long as a usual call.
    Cheap,
    /// The worker must be restarted, or a deadline passes.
    Dear,
}

use Cost::{Cheap, Dear};

/// A behaviour: its name, its cost, the body of `execute` and the expected result.
pub type Row = (&'static str, Cost, &'static str, Expected);

/// The result of a script that exceeds its time limit.
pub const DEADLINE_MS: u64 = 1000;

const TIMED_OUT: Expected = Error("the call did not end within 1000 ms");

/// All behaviours. `{name}` in an error is the name of the script's file.
pub const TABLE: &[Row] = &[
    // Results.
    (
        "none",
        Cheap,
        "pass",
        Error(
            "the call failed: {name}: `execute` returned None, not dict(success=..., message=..., data=...)",
        ),
    ),
    (
        "list",
        Cheap,
        "return [1]",
        Error(
            "the call failed: {name}: `execute` returned a list, not dict(success=..., message=..., data=...)",
        ),
    ),
    (
        "success_is_int",
        Cheap,
        "return dict(success=1, message='', data=1)",
        Error("the call failed: {name}: `success` of the result is an int, not True or False"),
    ),
    (
        "message_is_none",
        Cheap,
        "return dict(success=True, message=None, data=1)",
        Error("the call failed: {name}: `message` of the result is None, not a str"),
    ),
    (
        "no_success",
        Cheap,
        "return dict(message='', data=1)",
        Error("the call failed: {name}: the result has no `success`; expected True or False"),
    ),
    (
        "no_data",
        Cheap,
        "return dict(success=True, message='')",
        Error("the call failed: {name}: the result has no `data`; expected the result of the tool"),
    ),
    (
        "extra_key",
        Cheap,
        "return dict(success=True, message='', data=1, code=3)",
        Error(
            "the call failed: {name}: the result has 'code' in addition to `success`, `message` and `data`",
        ),
    ),
    (
        "failure",
        Cheap,
        "return dict(success=False, message='no such cluster', data=None)",
        Error("the call failed: no such cluster"),
    ),
    (
        "failure_without_data",
        Cheap,
        "return dict(success=False, message='no such cluster')",
        Error("the call failed: no such cluster"),
    ),
    (
        "failure_without_reason",
        Cheap,
        "return dict(success=False, message='', data=None)",
        Error("the call failed: {name} failed without a message"),
    ),
    (
        "nan",
        Cheap,
        "return dict(success=True, message='', data={'a': [1, float('nan')]})",
        Error("the call failed: {name}: /data/a/1: nan is not JSON; return None or a str"),
    ),
    (
        "infinity",
        Cheap,
        "return dict(success=True, message='', data=-1e999)",
        Error("the call failed: {name}: /data: -inf is not JSON; return None or a str"),
    ),
    (
        "key_is_int",
        Cheap,
        "return dict(success=True, message='', data={'a/b': {1: 2}})",
        Error("the call failed: {name}: /data/a~1b: the key 1 is an int, not a str"),
    ),
    (
        "bytes",
        Cheap,
        "return dict(success=True, message='', data=[b'x'])",
        Error("the call failed: {name}: /data/0: a bytes is not JSON; decode it to a str, with base64"),
    ),
    (
        "set",
        Cheap,
        "return dict(success=True, message='', data={1, 2})",
        Error("the call failed: {name}: /data: a set is not JSON; return a list"),
    ),
    (
        "object",
        Cheap,
        "class Thing: pass\n    return dict(success=True, message='', data=Thing())",
        Error("the call failed: {name}: /data: a Thing is not JSON; return a dict, list, str, int, float"),
    ),
    (
        "surrogate",
        Cheap,
        "return dict(success=True, message='', data='\\ud800')",
        Error("the call failed: {name}: /data: an unpaired surrogate is not valid text"),
    ),
    (
        "cycle",
        Cheap,
        "xs = []\n    xs.append(xs)\n    return dict(success=True, message='', data=xs)",
        Error("the call failed: {name}: /data/0/0/0"),
    ),
    (
        "sharing_that_explodes",
        Dear,
        "xs = []\n    for _ in range(60): xs = [xs, xs]\n    return dict(success=True, message='', data=xs)",
        Error("the call failed: {name}: the result is too large"),
    ),
    (
        "int_of_65_bits",
        Cheap,
        "return dict(success=True, message='', data=1 << 64)",
        Error("the call failed: {name}: /data: an int beyond 64 bits; return it as a str"),
    ),
    (
        "int_of_64_bits",
        Cheap,
        "return dict(success=True, message='', data=[(1 << 64) - 1, -(1 << 63), True, (1, 2)])",
        Data("[18446744073709551615, -9223372036854775808, true, [1, 2]]"),
    ),
    (
        "huge_result",
        Dear,
        "return dict(success=True, message='', data='x' * 3000000)",
        Error("the call failed: {name}: the result has 3000044 bytes; at most 2000000 are allowed"),
    ),
    // Exceptions.
    (
        "key_error",
        Cheap,
        "return dict(success=True, message='', data=tool_input['cluster'])",
        Error("the call failed: {name}:4: KeyError: 'cluster'"),
    ),
    (
        "error_in_a_module",
        Cheap,
        "import json\n    json.loads('{')",
        Error("the call failed: {name}:5: JSONDecodeError: Expecting property name"),
    ),
    (
        "error_without_text",
        Cheap,
        "class Odd(Exception):\n        def __str__(self): raise ValueError\n    raise Odd",
        Error("the call failed: {name}:6: Odd: the error cannot be written as text"),
    ),
    (
        "error_with_half_a_character",
        Cheap,
        "raise ValueError('\\ud800')",
        Error("the call failed: {name}:4: ValueError: \\ud800"),
    ),
    (
        "message_with_half_a_character",
        Cheap,
        "return dict(success=True, message='\\ud800', data=1)",
        Error("the call failed: {name}: the result is not JSON: "),
    ),
    (
        "recursion",
        Cheap,
        "def again(): return again()\n    return again()",
        Error("the call failed: {name}:4: RecursionError: maximum recursion depth exceeded"),
    ),
    (
        "low_recursion_limit",
        Cheap,
        "import sys\n    sys.setrecursionlimit(60)\n    return dict(success=True, message='', data=1)",
        Data("1"),
    ),
    (
        "sys_exit",
        Cheap,
        "import sys\n    sys.exit(3)",
        Error("the call failed: {name}:5: SystemExit: 3 (a tool returns; it does not exit)"),
    ),
    (
        "keyboard_interrupt",
        Cheap,
        "raise KeyboardInterrupt",
        Error("the call failed: {name}:4: KeyboardInterrupt"),
    ),
    (
        "memory_bomb",
        Dear,
        "xs = []\n    while True: xs.append(bytearray(1 << 24))",
        Error("the call failed: {name}:5: MemoryError"),
    ),
    // Ends of the process.
    (
        "os_exit",
        Dear,
        "import os\n    os._exit(7)",
        Error("the process that ran the call ended: {name}: exit status 7"),
    ),
    (
        "segfault",
        Dear,
        "import ctypes\n    ctypes.string_at(0)",
        Error("the process that ran the call ended: {name}: signal 11 (SIGSEGV)"),
    ),
    (
        "abort",
        Dear,
        "import os\n    os.abort()",
        Error("the process that ran the call ended: {name}: signal 6 (SIGABRT)"),
    ),
    (
        "kills_itself",
        Dear,
        "import os, signal\n    os.kill(os.getpid(), signal.SIGKILL)",
        Error("the process that ran the call ended: {name}: signal 9 (SIGKILL)"),
    ),
    (
        "kills_its_group",
        Dear,
        "import os, signal\n    os.killpg(0, signal.SIGTERM)\n    import time\n    time.sleep(5)",
        Error("the process that ran the call ended: {name}: signal 15 (SIGTERM)"),
    ),
    ("infinite_loop", Dear, "while True: pass", TIMED_OUT),
    ("hang_in_c", Dear, "import ctypes\n    ctypes.PyDLL(None).sleep(60)", TIMED_OUT),
    (
        "loop_that_catches_everything",
        Dear,
        "while True:\n        try:\n            while True: pass\n        except BaseException: pass",
        TIMED_OUT,
    ),
    (
        "thread_that_is_joined_for_ever",
        Dear,
        "import threading\n    threading.Thread(target=threading.Event().wait).start()\n    threading.Event().wait()",
        TIMED_OUT,
    ),
    // Descriptors.
    (
        "prints_a_reply",
        Cheap,
        "import os\n    os.write(1, b'{\"id\": \"1\", \"ok\": true, \"loaded\": true, \"result\": {\"data\": 666}}\\n')\n    \
         os.system('echo \"{}\"')\n    return dict(success=True, message='', data=1)",
        Data("1"),
    ),
    (
        "fake_reply_to_every_descriptor",
        Dear,
        "import os\n    for fd in range(3, 5000):\n        try: os.write(fd, b'{\"id\": \"1\", \"ok\": true, \"loaded\": \
         true, \"result\": {\"data\": 666}}\\n')\n        except OSError: pass\n    return dict(success=True, message='', data=1)",
        Error(
            "the process that ran the call ended: {name}: the script wrote to the descriptor of its worker",
        ),
    ),
    (
        "garbage_to_every_descriptor",
        Dear,
        "import os\n    for fd in range(3, 5000):\n        try: os.write(fd, b'\\xff\\x00{')\n        except OSError: \
         pass\n    return dict(success=True, message='', data=1)",
        Error(
            "the process that ran the call ended: {name}: the script wrote to the descriptor of its worker",
        ),
    ),
    (
        "closes_every_descriptor",
        Dear,
        "import os\n    os.closerange(0, 5000)\n    return dict(success=True, message='', data=1)",
        OneOf(&[
            "the process that ran the call ended: {name}: the script closed or damaged the descriptor",
            "the process that ran the call ended: {name}: it closed the descriptor",
        ]),
    ),
    (
        "closes_every_descriptor_and_stays",
        Dear,
        "import os, time\n    os.closerange(0, 5000)\n    time.sleep(60)",
        OneOf(&[
            "the process that ran the call ended: {name}: the script closed or damaged the descriptor",
            "the process that ran the call ended: {name}: it closed the descriptor",
            "the call did not end within 1000 ms",
        ]),
    ),
    (
        "closes_stdout",
        Cheap,
        "import sys\n    sys.stdout.close()\n    sys.stderr.close()\n    return dict(success=True, message='', data=1)",
        Data("1"),
    ),
    (
        "closes_the_descriptors_of_stdout",
        Cheap,
        "import os\n    os.close(1)\n    os.close(2)\n    open(os.devnull)\n    return dict(success=True, message='', data=1)",
        Data("1"),
    ),
    (
        "replaces_stdout",
        Cheap,
        "import io, sys\n    sys.stdout = sys.stderr = io.StringIO()\n    return dict(success=True, message='', data=1)",
        Data("1"),
    ),
    (
        "much_output",
        Dear,
        "import sys\n    for _ in range(1600): sys.stdout.write('x' * 65535 + '\\n')\n    return dict(success=True, message='', data=1)",
        Data("1"),
    ),
    ("output_without_end", Dear, "while True: print('y' * 1000)", TIMED_OUT),
    // Processes.
    (
        "fork_that_returns",
        Cheap,
        "import os\n    return dict(success=True, message='', data='child' if os.fork() == 0 else 'parent')",
        Data("\"parent\""),
    ),
    (
        "fork_that_raises",
        Cheap,
        "import os\n    if os.fork() == 0: raise ValueError('in the child')\n    return dict(success=True, message='', data=1)",
        Data("1"),
    ),
    (
        "fork_that_lives_on",
        Cheap,
        "import os, time\n    if os.fork() == 0: time.sleep(600)\n    return dict(success=True, message='', data=1)",
        Data("1"),
    ),
    (
        "fork_in_c_that_lives_on_without_its_parent",
        Dear,
        "import ctypes, os, time\n    if ctypes.CDLL(None).fork() == 0: time.sleep(600)\n    os._exit(9)",
        Error("the process that ran the call ended: {name}: exit status 9"),
    ),
    (
        "fork_in_c_that_returns",
        Cheap,
        "import ctypes\n    return dict(success=True, message='', data='child' if ctypes.CDLL(None).fork() == 0 else 'parent')",
        Data("\"parent\""),
    ),
    (
        "process_that_lives_on",
        Cheap,
        "import subprocess\n    subprocess.Popen(['sleep', '600'])\n    return dict(success=True, message='', data=1)",
        Data("1"),
    ),
    (
        "process_that_prints_without_end",
        Cheap,
        "import subprocess\n    subprocess.Popen(['yes'])\n    return dict(success=True, message='', data=1)",
        Data("1"),
    ),
    // Effects that outlive a call.
    (
        "alarm",
        Cheap,
        "import signal\n    signal.setitimer(signal.ITIMER_REAL, 0.001)\n    return dict(success=True, message='', data=1)",
        OneOf(&["1", "the process that ran the call ended: {name}: signal 14 (SIGALRM)"]),
    ),
    (
        "alarm_that_raises",
        Cheap,
        "import signal, time\n    def late(*_): raise TimeoutError('too late')\n    signal.signal(signal.SIGALRM, late)\n    \
         signal.setitimer(signal.ITIMER_REAL, 0.01)\n    time.sleep(10)",
        Error("the call failed: {name}:5: TimeoutError: too late"),
    ),
    (
        "handlers_for_everything",
        Cheap,
        "import signal\n    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:\n        \
         signal.signal(number, lambda *_: 1 / 0)\n    return dict(success=True, message='', data=1)",
        Data("1"),
    ),
    (
        "daemon_thread",
        Cheap,
        "import threading, time\n    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()\n    return dict(success=True, message='', data=1)",
        Data("1"),
    ),
    (
        "thread_that_raises",
        Cheap,
        "import threading\n    thread = threading.Thread(target=lambda: 1 / 0)\n    thread.start()\n    thread.join()\n    return dict(success=True, message='', data=1)",
        Data("1"),
    ),
    (
        "changes_the_folder",
        Cheap,
        "import os\n    os.chdir('/')\n    return dict(success=True, message='', data=os.getcwd())",
        Data("\"/\""),
    ),
    (
        "deletes_its_folder",
        Cheap,
        "import os, tempfile\n    folder = tempfile.mkdtemp()\n    os.chdir(folder)\n    os.rmdir(folder)\n    return dict(success=True, message='', data=1)",
        Data("1"),
    ),
    (
        "traces",
        Cheap,
        "import sys\n    def trace(*_): raise ValueError('traced')\n    sys.settrace(trace)\n    return dict(success=True, message='', data=1)",
        Error("the call failed: {name}:5: ValueError: traced"),
    ),
];
