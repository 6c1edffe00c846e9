"""The sum, each as often as its weight says, or once.

`weighted_sum` of keys_arrays 1.0.0.
Calls the library through ctypes. KEYS_ARRAYS_LIBRARY overrides its file, if it is set.
"""
import ctypes
import math
import os


def weighted_sum(tool_input: dict) -> dict:
    """The sum, each as often as its weight says, or once.

    Args:
        xs (list[float], required)
        weights (list[float], optional)

    Returns:
        dict: `success`, `message`, and `data`, which has
            sum (float)
    """
    try:
        return dict(success=True, message='ok', data=_call(tool_input))
    except (_Refused, _Failed) as error:
        return dict(success=False, message=str(error), data=None)


def _call(tool_input):
    given = _Arguments(tool_input, ['xs', 'weights'])
    xs = given.take('xs', _List(_Number('double', ctypes.c_double)))
    weights = given.maybe('weights', _List(_Number('double', ctypes.c_double)))
    n = _length('xs', len(xs), ctypes.c_size_t)
    if weights is not None:
        _same('weights', len(weights), len(xs))
    xs_memory = _array(ctypes.c_double, xs)
    weights_memory = _array(ctypes.c_double, weights)
    function = _function('weighted_sum', ctypes.c_double, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t])
    returned = function(xs_memory, weights_memory, n)
    return {
        'sum': _Number('double', ctypes.c_double).show(returned, 'sum'),
    }


def _library():
    path = os.environ.get('KEYS_ARRAYS_LIBRARY') or 'libx.so'
    try:
        return ctypes.CDLL(path)
    except OSError as error:
        raise _Failed(f'cannot load `{path}`: {error}; KEYS_ARRAYS_LIBRARY can name another file') from None


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


class _Number:
    """A finite number in the range of a C type."""

    def __init__(self, name, c_type):
        self.name = name
        self.c_type = c_type

    def read(self, value, path):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise _Refused(path, f'{value!r} is not a number ({self.name})')
        try:
            value = float(value)
        except OverflowError:
            value = math.inf
        # `ctypes` turns a number that is too large for a C float into infinity.
        if not math.isfinite(value) or not math.isfinite(self.c_type(value).value):
            raise _Refused(path, f'{value} does not fit {self.name}')
        return value

    def show(self, value, name):
        if not math.isfinite(value):
            raise _Failed(f'`{name}` is {value}, which JSON cannot hold')
        if self.c_type is ctypes.c_float:
            # The shortest digits that give the same float: 0.1, not 0.10000000149011612.
            shortest = (float(f'{value:.{digits}g}') for digits in range(1, 10))
            return next((near for near in shortest if ctypes.c_float(near).value == value), value)
        return value


class _List:
    """An array: of exactly `count` elements, if that is set."""

    def __init__(self, element, count=None):
        self.element = element
        self.count = count
        if count is not None:
            self.c_type = element.c_type * count

    def read(self, value, path):
        if not isinstance(value, (list, tuple)):
            raise _Refused(path, f'{value!r} is not an array')
        if self.count is not None and len(value) != self.count:
            raise _Refused(path, f'it has {len(value)} elements; expected {self.count}')
        read = [self.element.read(each, path + _step(index)) for index, each in enumerate(value)]
        return read if self.count is None else self.c_type(*read)

    def show(self, values, name):
        return [self.element.show(value, f'{name}/{index}') for index, value in enumerate(values)]


def _array(c_type, values):
    """An array for C; NULL for None."""
    return None if values is None else (c_type * len(values))(*values)


def _length(name, length, c_type):
    """A length, checked to fit the type of its length parameter."""
    if c_type(length).value != length:
        raise _Refused(_step(name), f'it has {length} elements, more than its length parameter can hold')
    return length


def _same(name, length, expected):
    """Fails unless an array has the expected length."""
    if length != expected:
        raise _Refused(_step(name), f'it has {length} elements instead of {expected}')


def _function(symbol, returns, arguments):
    """A function of the library."""
    try:
        function = _library()[symbol]
    except AttributeError:
        raise _Failed(f'the loaded library has no function `{symbol}`') from None
    function.restype = returns
    function.argtypes = arguments
    return function
