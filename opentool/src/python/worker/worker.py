"""Runs the scripts of Python tools: one process, one connection to the host, one stack of calls.

The host sends it through descriptor 0 with its `SETTINGS`. Every message is a line of JSON and
carries the id of the call that it belongs to, which a script cannot guess. While a script waits in
`InterClient.tool_exe`, calls that arrive run on top of it.
"""

import fcntl
import importlib.machinery
import json
import os
import resource
import select
import sys
import threading
import traceback
import types

try:
    import _signal as signal  # without the enums, which cost more than a call
except ImportError:
    import signal

# What the host says of this status is in `process.rs`.
LOST = 82
DEPTH = 100
TEXT = 2000
SMALLEST, LARGEST = -(1 << 63), (1 << 64) - 1


def _serve(settings):
    process = os.getpid()
    output_limit = settings['output_limit']

    # Descriptors: the connection goes up high, where neither children nor low numbers reach it.
    open_files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    high = max(32, min(open_files, 4096) - 32)
    connection = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, high)
    log = fcntl.fcntl(2, fcntl.F_DUPFD_CLOEXEC, high)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    log_file = os.fstat(log)

    def limit(what, value):
        hard = resource.getrlimit(what)[1]
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        resource.setrlimit(what, (value, value))

    limit(resource.RLIMIT_CORE, 0)

    # The connection.

    received = bytearray()
    searched = [0]

    def send(text):
        if os.getpid() != process:
            os._exit(0)
        try:
            data = memoryview(text)
            while data:
                data = data[os.write(connection, data):]
        except BaseException:
            os._exit(LOST)

    def receive():
        try:
            while True:
                end = received.find(b'\n', searched[0])
                if end >= 0:
                    line = bytes(received[:end])
                    del received[:end + 1]
                    searched[0] = 0
                    return json.loads(line)
                searched[0] = len(received)
                part = os.read(connection, 1 << 16)
                if not part:
                    os._exit(0)
                received.extend(part)
        except BaseException:
            os._exit(LOST)

    def watch():
        # A script that never ends must not outlive the host.
        poll = select.poll()
        poll.register(connection, 0)
        poll.poll()
        if os.getpgrp() == process:
            os.killpg(0, signal.SIGKILL)
        os._exit(0)

    # Signals reach a script, and nobody else: a handler that raises would leave half a message.
    names = ('SIGALRM', 'SIGVTALRM', 'SIGPROF', 'SIGHUP', 'SIGINT', 'SIGTERM', 'SIGUSR1', 'SIGUSR2',
             'SIGCHLD', 'SIGQUIT', 'SIGPIPE', 'SIGIO', 'SIGWINCH', 'SIGCONT')
    signals = [getattr(signal, name) for name in names if hasattr(signal, name)]
    # A handler of Python's for a fault would be run by the fault again and again.
    handled = sorted(signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP})

    def block():
        signal.pthread_sigmask(signal.SIG_BLOCK, signals)

    def unblock():
        signal.pthread_sigmask(signal.SIG_UNBLOCK, signals)

    def open_log(descriptor):
        return open(descriptor, 'w', buffering=1, encoding='utf-8', errors='backslashreplace',
                    closefd=False)

    # What a call may leave otherwise than it found it.

    def current_folder():
        try:
            return os.getcwd()
        except OSError:
            return None

    def state():
        return ([(number, signal.getsignal(number)) for number in handled], current_folder(),
                sys.getrecursionlimit(), sys.stdout, sys.stderr)

    def restore(saved, outermost):
        handlers, folder, recursion, out, error = saved
        if threading.current_thread() is main_thread:
            if outermost:
                sys.settrace(None)
                sys.setprofile(None)
                for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
                    signal.setitimer(timer, 0)
            for number, handler in handlers:
                # A handler of None is not Python's, and cannot be set.
                if handler is not None and signal.getsignal(number) != handler:
                    signal.signal(number, handler)
        if folder is not None and current_folder() != folder:
            os.chdir(folder)
        if sys.getrecursionlimit() != recursion:
            sys.setrecursionlimit(recursion)
        for descriptor in (1, 2):
            try:
                now = os.fstat(descriptor)
                if (now.st_dev, now.st_ino) == (log_file.st_dev, log_file.st_ino):
                    continue
            except OSError:
                pass
            os.dup2(log, descriptor)
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except BaseException:
                pass
        sys.stdout = open_log(1) if out.closed else out
        sys.stderr = open_log(2) if error.closed else error

    # Whose turn it is. Only threads of the innermost call may speak to the host, one at a time.

    turn = threading.Condition()
    calls = []
    speaking = [False]
    here = threading.local()
    start_thread = threading.Thread.start

    def own_call():
        call = getattr(here, 'call', None)
        return call or getattr(threading.current_thread(), '_tool_call', None)

    def start(self):
        self._tool_call = own_call()
        start_thread(self)

    threading.Thread.start = start

    def exchange(request):
        """Asks the host for a call of another tool; None where no call of ours runs."""
        body = to_json(request)
        own = own_call()
        with turn:
            while True:
                if not calls:
                    return None
                # A thread that outlived its call speaks for whichever runs now.
                if not speaking[0] and (own not in calls or calls[-1] == own):
                    break
                turn.wait()
            speaking[0] = True
            call = calls[-1]
        try:
            block()
            send(b'{"id": ' + to_json(call) + b', ' + body[1:] + b'\n')
            while True:
                message = receive()
                if 'reply' in message:
                    break
                run(message, False)
            with turn:
                speaking[0] = False
                turn.notify_all()
        except BaseException:
            # Half a conversation cannot be gone on with.
            os._exit(LOST)
        unblock()
        return message['reply']

    def run(message, outermost):
        call, outer = message['id'], getattr(here, 'call', None)
        with turn:
            calls.append(call)
            speaking[0] = False
            turn.notify_all()
        here.call = call
        saved = pristine if outermost else state()
        reply = perform(message)
        try:
            restore(saved, outermost)
        except BaseException:
            os._exit(LOST)
        here.call = outer
        with turn:
            while speaking[0] or calls[-1] != call:
                turn.wait()
            calls.pop()
            send(reply)
            speaking[0] = not outermost
            turn.notify_all()

    # Scripts.

    scripts = {}

    class Script:
        def __init__(self, load):
            self.path, self.name = load['path'], load['name']
            self.module = types.ModuleType(load['module'])
            self.module.__file__ = self.path
            vars(self.module).update(load['globals'])
            # Dataclasses and pickle look for the module of a class there.
            sys.modules[load['module']] = self.module
            try:
                exec(compile(load['source'].encode('latin-1'), self.path, 'exec', dont_inherit=True), vars(self.module))
            except BaseException:
                self.close()
                raise

        def close(self):
            sys.modules.pop(self.module.__name__, None)

    def perform(message):
        """The reply to a call, as a line. Whatever the script does, this does not raise."""
        path = name = '?'
        reply = {'id': message['id'], 'loaded': False}
        try:
            try:
                unblock()
                load = message.get('load')
                if load is not None:
                    path, name = load['path'], load['name']
                    old = scripts.pop(message['script'], None)
                    if old is not None:
                        old.close()
                    scripts[message['script']] = Script(load)
                reply['loaded'] = True
                script = scripts[message['script']]
                path, name = script.path, script.name
                entry = getattr(script.module, message['entry'])
                result = entry(message['arguments'])
            finally:
                block()
            if os.getpid() != process:
                leave(0)
            text = encoded(result, message['entry'])
            if len(text) <= output_limit:
                head = '{"id": "%s", "loaded": true, "ok": %s, "result": '
                ok = 'true' if result['success'] else 'false'
                return (head % (message['id'], ok)).encode('ascii') + text + b'}\n'
            raise Unfit('', 'the result has %d bytes, and at most %d are allowed' % (len(text), output_limit))
        except Unfit as unfit:
            reply['error'] = '%s: %s' % (name, unfit)
        except BaseException as error:
            if os.getpid() != process:
                leave(error.code if isinstance(error, SystemExit) else 1)
            reply['error'] = describe(error, path, name)
            # What is left of the memory may be too little for the next call.
            reply['retire'] = isinstance(error, MemoryError)
        return json.dumps(reply).encode('utf-8') + b'\n'

    def leave(code):
        """Ends a child that the script forked and that came back here."""
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except BaseException:
                pass
        os._exit(code if isinstance(code, int) else 1)

    def describe(error, path, name):
        line = None
        step = error.__traceback__
        while step is not None:
            if step.tb_frame.f_code.co_filename == path:
                line = step.tb_lineno
            step = step.tb_next
        if isinstance(error, SyntaxError) and error.filename == path:
            line = error.lineno
        try:
            text = error.msg if isinstance(error, SyntaxError) else str(error)
        except BaseException:
            text = 'the error cannot be written as text'
        if len(text) > TEXT:
            text = text[:TEXT] + '...'
        if isinstance(error, SystemExit):
            text = '%s (a tool returns; it does not exit)' % text
        text = '%s: %s' % (type(error).__name__, text) if text else type(error).__name__
        try:
            traceback.print_exception(type(error), error, error.__traceback__, limit=-20)
        except BaseException:
            pass
        return '%s:%d: %s' % (name, line, text) if line is not None else '%s: %s' % (name, text)

    # Results.

    def encoded(result, entry):
        if not isinstance(result, dict):
            raise Unfit('', '`%s` returned %s, not dict(success=..., message=..., data=...)' % (entry, kind(result)))
        success = result.get('success')
        if type(success) is not bool:
            raise Unfit('', wrong(result, 'success', 'True or False'))
        if not isinstance(result.get('message'), str):
            raise Unfit('', wrong(result, 'message', 'a str'))
        # A failure has nothing to say but why.
        if success and 'data' not in result:
            raise Unfit('', wrong(result, 'data', 'what the tool found'))
        for key in result:
            if key not in ('success', 'message', 'data'):
                raise Unfit('', 'the result has %s beside `success`, `message` and `data`' % shown(key))
        data = result.get('data')
        check(data, '/data', [output_limit // 2 + 1], 1)
        value = {'success': success, 'message': result['message'], 'data': data}
        return to_json(value)

    def wrong(result, key, expected):
        if key in result:
            return '`%s` of the result is %s, not %s' % (key, kind(result[key]), expected)
        return 'the result has no `%s`: %s' % (key, expected)

    def refusal(message):
        return {'success': False, 'message': message, 'data': None}

    def tool_exe(tool_id=None, tool_name=None, arguments=None):
        """Calls another tool: by `tool_id`, or by `tool_name` where no tool has that id."""
        names = []
        for name in (tool_id, tool_name):
            # A comma behind an assignment makes a tuple, in the specification's own sample too.
            if isinstance(name, (tuple, list)) and len(name) == 1:
                name = name[0]
            if name is not None and name not in names:
                names.append(name)
        if not names or not all(isinstance(name, str) for name in names):
            return refusal('tool_exe: `tool_id` and `tool_name` must be str')
        if arguments is None:
            arguments = {}
        if not isinstance(arguments, dict):
            return refusal('tool_exe: `arguments` is %s, not a dict' % kind(arguments))
        if os.getpid() != process:
            return refusal('tool_exe: a forked process cannot call tools; its parent can')
        try:
            check(arguments, '', [output_limit // 2 + 1], 1)
            reply = exchange({'tools': names, 'arguments': arguments})
        except Unfit as unfit:
            return refusal('tool_exe: arguments: %s' % unfit)
        return refusal('tool_exe: the call that this thread belongs to has ended') if reply is None else reply

    # What scripts import.

    class InterClient:
        """Calls the other tools of the set that this script is a tool of."""

    InterClient.tool_exe = staticmethod(tool_exe)
    InterClient.__module__ = 'shj.client.client'

    class Shim:
        """`shj.client.client` is ours; the packages around it only where nobody else has them."""

        def __init__(self, names):
            self.names = names

        def find_spec(self, name, path=None, target=None):
            if name in self.names:
                package = name != 'shj.client.client'
                return importlib.machinery.ModuleSpec(name, self, origin='worker', is_package=package)
            return None

        def create_module(self, spec):
            return None

        def exec_module(self, module):
            if module.__name__ == 'shj.client.client':
                module.InterClient = InterClient

    sys.meta_path.insert(0, Shim(['shj.client.client']))
    sys.meta_path.append(Shim(['shj', 'shj.client']))
    sys.path[:0] = settings['module_folders']
    sys.argv = ['']

    # The beginning.

    main_thread = threading.current_thread()
    block()
    sys.stdout, sys.stderr = open_log(1), open_log(2)
    sys.stdin = open(0, closefd=False)
    pristine = state()
    threading.Thread(target=watch, daemon=True).start()
    # A forked child closes its copy: the host must see the end of this process, not of that one.
    os.register_at_fork(after_in_child=lambda: os.close(connection))
    if settings['memory_limit'] is not None:
        limit(resource.RLIMIT_AS, settings['memory_limit'])
    send(json.dumps({'id': settings['id'], 'ready': True}).encode('utf-8') + b'\n')
    while True:
        run(receive(), True)


class Unfit(Exception):
    """A value that is not JSON, and where in the result it is."""

    def __init__(self, pointer, message):
        Exception.__init__(self, '%s: %s' % (pointer, message) if pointer else message)


def check(value, pointer, budget, depth):
    """Refuses what JSON does not have. json.dumps would write some of it nevertheless."""
    budget[0] -= 1
    if budget[0] < 0:
        raise Unfit('', 'the result is larger than is allowed')
    if value is None or value is True or value is False:
        return
    if isinstance(value, str):
        try:
            value.encode('utf-8')
        except UnicodeEncodeError:
            raise Unfit(pointer, 'half of a surrogate pair is no text') from None
    elif isinstance(value, int):
        if not SMALLEST <= value <= LARGEST:
            raise Unfit(pointer, 'an int beyond 64 bits; return it as a str')
    elif isinstance(value, float):
        if value != value or value in (float('inf'), float('-inf')):
            raise Unfit(pointer, '%s is not JSON; return None or a str' % float(value))
    elif depth > DEPTH:
        raise Unfit(pointer[:200], 'nested deeper than %d levels, or in itself' % DEPTH)
    elif isinstance(value, dict):
        for key, member in value.items():
            if not isinstance(key, str):
                raise Unfit(pointer, 'the key %s is %s, not a str' % (shown(key), kind(key)))
            check(member, pointer + '/' + key.replace('~', '~0').replace('/', '~1'), budget, depth + 1)
    elif isinstance(value, (list, tuple)):
        for index, member in enumerate(value):
            check(member, '%s/%d' % (pointer, index), budget, depth + 1)
    else:
        raise Unfit(pointer, '%s is not JSON; %s' % (kind(value), INSTEAD.get(type(value).__name__, 'return a dict, list, str, int, float, bool or None')))


INSTEAD = {
    'bytes': 'decode it to a str, with base64 if it is not text',
    'bytearray': 'decode it to a str, with base64 if it is not text',
    'set': 'return a list',
    'frozenset': 'return a list',
    'Decimal': 'return a float or a str',
    'datetime': 'return value.isoformat()',
    'date': 'return value.isoformat()',
    'ndarray': 'return value.tolist()',
    'DataFrame': "return value.to_dict('records')",
}


ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def to_json(value):
    try:
        return ENCODER.encode(value).encode('utf-8')
    except (TypeError, ValueError) as error:
        raise Unfit('', 'the result is not JSON: %s' % error) from None


def kind(value):
    name = type(value).__name__
    if value is None:
        return 'None'
    return ('an ' if name[:1] in 'aeiouAEIOU' else 'a ') + name


def shown(value):
    try:
        text = repr(value)
    except BaseException:
        text = type(value).__name__
    return text if len(text) <= 60 else text[:60] + '...'


_serve(SETTINGS)  # noqa: F821, the host's
