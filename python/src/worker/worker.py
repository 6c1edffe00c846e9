"""Runs the scripts of Python tools: one process, one connection to the host, one stack of calls.

The host sends it through descriptor 0 with its `SETTINGS`, after `results.py`, `modules.py` and `surroundings.py`,
whose names it uses. Every message is a line of JSON with the id of its call, which a script cannot guess. While a
script waits in `InterClient.tool_exe`, incoming calls run on top of it.
"""

import fcntl
import json
import os
import resource
import select
import sys
import threading
import traceback
import types

# The host explains this status in `ending.rs`.
LOST = 82
TEXT = 2000


def _serve(settings):
    process = os.getpid()
    output_limit = settings['output_limit']

    # Descriptors: the connection gets a high number, which scripts and children rarely use.
    open_files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    high = max(32, min(open_files, 4096) - 32)
    connection = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, high)
    log = fcntl.fcntl(2, fcntl.F_DUPFD_CLOEXEC, high)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)

    def limit(what, value):
        if settings['is_limited']:
            # The sandbox has the limits, and refuses to set others.
            return
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
        # A script that has closed the descriptor has not lost its host.
        if any(event & select.POLLNVAL for _, event in poll.poll()):
            os._exit(LOST)
        try:
            if os.getpgrp() == process:
                os.killpg(0, signal.SIGKILL)
        finally:
            # A sandbox refuses signals to the group, which has no other process then.
            os._exit(0)

    # Turns: only threads of the innermost call may send to the host, one at a time.

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
        """Asks the host to call another tool; None if no call is running."""
        body = to_json(request)
        own = own_call()
        with turn:
            while True:
                if not calls:
                    return None
                # A thread that outlived its call sends for the current one.
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
            # The protocol cannot continue after an incomplete exchange.
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
        saved = pristine if outermost else surroundings.now()
        reply = perform(message)
        try:
            surroundings.restore(saved, outermost)
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
            # Dataclasses and pickle look up the module of a class there.
            sys.modules[load['module']] = self.module
            try:
                exec(compile(load['source'].encode('latin-1'), self.path, 'exec', dont_inherit=True), vars(self.module))
            except BaseException:
                self.close()
                raise

        def close(self):
            sys.modules.pop(self.module.__name__, None)

    def perform(message):
        """The reply to a call, as a line. Never raises, whatever the script does."""
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
            text = encoded(result, message['entry'], output_limit)
            head = '{"id": "%s", "loaded": true, "ok": %s, "result": '
            ok = 'true' if result['success'] else 'false'
            return (head % (message['id'], ok)).encode('ascii') + text + b'}\n'
        except Unfit as unfit:
            reply['error'] = '%s: %s' % (name, unfit)
        except BaseException as error:
            if os.getpid() != process:
                leave(error.code if isinstance(error, SystemExit) else 1)
            reply['error'] = describe(error, path, name)
            # The remaining memory may not suffice for the next call.
            reply['retire'] = isinstance(error, MemoryError)
        return json.dumps(reply).encode('utf-8') + b'\n'

    def leave(code):
        """Ends a forked child of the script that returned here."""
        flush()
        os._exit(code if isinstance(code, int) else 1)

    def describe(error, path, name):
        line = None
        trace = error.__traceback__
        # The frames of the worker itself are left out.
        while trace is not None and trace.tb_frame.f_code.co_filename == describe.__code__.co_filename:
            trace = trace.tb_next
        step = trace
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
        # Unpaired surrogates are not valid text outside of Python.
        text = text.encode('utf-8', 'backslashreplace').decode('utf-8')
        if isinstance(error, SystemExit):
            text = '%s (a tool returns; it does not exit)' % text
        text = '%s: %s' % (type(error).__name__, text) if text else type(error).__name__
        try:
            traceback.print_exception(type(error), error, trace, limit=-20)
        except BaseException:
            pass
        return '%s:%d: %s' % (name, line, text) if line is not None else '%s: %s' % (name, text)

    # Other tools.

    def refusal(message):
        return {'success': False, 'message': message, 'data': None}

    def tool_exe(tool_id=None, tool_name=None, arguments=None):
        """Calls another tool by `tool_id`, or by `tool_name` if no tool has that id."""
        names = []
        for name in (tool_id, tool_name):
            # A trailing comma after an assignment makes a tuple, as in a sample of the specification.
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
            return refusal('tool_exe: a forked process cannot call tools, only its parent can')
        try:
            check(arguments, '', [output_limit // 2 + 1], 1)
            reply = exchange({'tools': names, 'arguments': arguments})
        except Unfit as unfit:
            return refusal('tool_exe: arguments: %s' % unfit)
        return refusal('tool_exe: the call that this thread belongs to has ended') if reply is None else reply

    provide(tool_exe)
    sys.path[:0] = settings['module_folders']
    sys.argv = ['']

    # Start.

    block()
    surroundings = Surroundings(log)
    pristine = surroundings.now()
    threading.Thread(target=watch, daemon=True).start()
    # A forked child closes its copy, so that the host sees the end of this process.
    os.register_at_fork(after_in_child=lambda: os.close(connection))
    if settings['memory_limit'] is not None:
        limit(resource.RLIMIT_AS, settings['memory_limit'])
    send(json.dumps({'id': settings['id'], 'ready': True}).encode('utf-8') + b'\n')
    while True:
        run(receive(), True)


_serve(SETTINGS)  # noqa: F821, defined by the host
