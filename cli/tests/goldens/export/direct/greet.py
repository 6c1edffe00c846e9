"""A greeting.

`greet` of calc 1.0.0.
Calls the library through ctypes. CALC_LIBRARY overrides its file, if it is set.
"""
import base64
import ctypes
import os
import sys


def greet(tool_input: dict) -> dict:
    """A greeting.

    Args:
        name (str, optional): Whom to greet; everybody if absent.

    Returns:
        dict: `success`, `message`, and `data`, which has
            greeting (str)
    """
    try:
        return dict(success=True, message='ok', data=_call(tool_input))
    except (_Refused, _Failed) as error:
        return dict(success=False, message=str(error), data=None)


def _call(tool_input):
    given = _Arguments(tool_input, ['name'])
    name = given.maybe('name', _Text('utf-8'))
    name_memory = _memory(name)
    function = _function('greet', ctypes.c_void_p, [ctypes.c_void_p])
    returned = function(name_memory)
    return {
        'greeting': _string(returned, 'utf-8', 'greeting'),
    }


def _library():
    path = os.environ.get('CALC_LIBRARY') or 'libcalc.so'
    try:
        return ctypes.CDLL(path)
    except OSError as error:
        raise _Failed(f'cannot load `{path}`: {error}; CALC_LIBRARY can name another file') from None


class _Refused(Exception):
    """Invalid arguments: where, as a JSON pointer, and why."""

    def __init__(self, path, why):
        super().__init__(f'invalid arguments: {path}: {why}' if path else f'invalid arguments: {why}')


class _Failed(Exception):
    """The library cannot be loaded, or C returned an invalid result."""


def _step(key):
    """One step of a JSON pointer."""
    return '/' + str(key).replace('~', '~0').replace('/', '~1')


class _Arguments:
    """The arguments of a call: only those in `keys` are accepted."""

    def __init__(self, given, keys):
        if not isinstance(given, dict):
            raise _Refused('', 'expected an object')
        for key in given:
            if key not in keys:
                raise _Refused(_step(key), f'unknown; expected {", ".join(keys) or "nothing"}')
        self.given = given

    def take(self, key, kind):
        """A required argument."""
        if key not in self.given:
            raise _Refused(_step(key), 'missing')
        return kind.read(self.given[key], _step(key))

    def maybe(self, key, kind, default=None):
        """An optional argument, which may be absent or null."""
        value = self.given.get(key)
        return default if value is None else kind.read(value, _step(key))


class _Text:
    """A string, read as the bytes that C gets. It must not contain NUL unless C is told its length."""

    def __init__(self, encoding, counted=False, exactly=None, one_of=None):
        self.encoding = encoding
        self.counted = counted
        self.exactly = exactly
        self.one_of = one_of

    def read(self, value, path):
        if not isinstance(value, str):
            raise _Refused(path, f'{value!r} is not a string')
        if self.one_of is not None and value not in self.one_of:
            raise _Refused(path, f'{value!r} is not one of {", ".join(map(repr, self.one_of))}')
        data = _encode(value, self.encoding, path)
        units = len(data) // _unit(self.encoding)
        if self.exactly is not None and units != self.exactly:
            raise _Refused(path, f'it is {units} units long; expected {self.exactly}')
        if not self.counted and len(_until_nul(data, self.encoding)) != len(data):
            raise _Refused(path, 'it contains NUL, which would end it in C')
        return data


def _unit(encoding):
    return 2 if encoding == 'utf-16' else 1


def _encode(text, encoding, path):
    """The bytes that C gets for a string."""
    try:
        if encoding == 'base64':
            data = base64.b64decode(text, validate=True)
            # Only the canonical text of some bytes is accepted.
            if base64.b64encode(data).decode() != text:
                raise ValueError('wrong padding')
            return data
        if encoding == 'hex':
            return base64.b16decode(text, casefold=True)
        if encoding == 'utf-16':
            return text.encode('utf-16-le' if sys.byteorder == 'little' else 'utf-16-be')
        return text.encode('utf-8' if encoding == 'utf-8-lossy' else encoding)
    except ValueError as error:
        raise _Refused(path, f'it is not {encoding}: {error}') from None


def _decode(data, encoding, name):
    """The string for bytes from C."""
    try:
        if encoding == 'base64':
            return base64.b64encode(data).decode()
        if encoding == 'hex':
            return data.hex()
        if encoding == 'utf-16':
            return data.decode('utf-16-le' if sys.byteorder == 'little' else 'utf-16-be')
        if encoding == 'utf-8-lossy':
            return data.decode('utf-8', errors='replace')
        return data.decode(encoding)
    except ValueError as error:
        raise _Failed(f'`{name}` is not {encoding}: {error}') from None


def _until_nul(data, encoding):
    """The units before the first NUL, or all units."""
    if encoding != 'utf-16':
        return data.split(b'\0', 1)[0]
    ends = (at for at in range(0, len(data), 2) if data[at:at + 2] == b'\0\0')
    return data[:next(ends, len(data))]


def _copied(address, size):
    """A copy of `size` bytes at an address. The size for `ctypes.string_at` is limited to an int."""
    try:
        return bytes((ctypes.c_ubyte * size).from_address(address))
    except (MemoryError, OverflowError, ValueError):
        raise _Failed(f'C returned {size} bytes, which do not fit in memory') from None


def _memory(data):
    """A copy of bytes for C, followed by NULs; NULL for None."""
    return None if data is None else ctypes.create_string_buffer(data, len(data) + 2)


def _is_null(address, name, nullable, count=1):
    """Whether C returned NULL. Fails if it must not; for 0 elements it always may."""
    if address:
        return False
    if not nullable and count:
        raise _Failed(f'`{name}` is a NULL pointer')
    return True


def _string_at(address, encoding, most=sys.maxsize):
    """The bytes at an address before the first NUL, but at most `most` units."""
    if encoding != 'utf-16' and most == sys.maxsize:
        return ctypes.string_at(address)
    unit = ctypes.c_uint16 if encoding == 'utf-16' else ctypes.c_ubyte
    size = ctypes.sizeof(unit)
    length = 0
    while length < most and unit.from_address(address + length * size).value:
        length += 1
    return _copied(address, length * size)


def _string(address, encoding, name, nullable=False):
    """The string at an address."""
    return None if _is_null(address, name, nullable) else _decode(_string_at(address, encoding), encoding, name)


def _function(symbol, returns, arguments):
    """A function of the library."""
    try:
        function = _library()[symbol]
    except AttributeError:
        raise _Failed(f'the loaded library has no function `{symbol}`') from None
    function.restype = returns
    function.argtypes = arguments
    return function
