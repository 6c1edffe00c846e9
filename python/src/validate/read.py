"""Reads a script without running it: decodes the bytes and parses the text.

The first part of a program that consists of the `.py` files of `validate` and `describe`. Rust sends the program to
Python 3.8 or newer, followed by scripts; the reply to each script is a line of JSON. All places are offsets in the
UTF-8 bytes of the text.
"""

import ast
import io
import json
import re
import sys
import tokenize
import warnings

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# The maximum length of source text in a message.
LONGEST = 100
WIDE = "，。；：（）［］｛｝“”‘’＝＋－"
CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")


class Script:
    """A script and its findings."""

    def __init__(self, raw):
        self.raw = raw
        self.findings = []
        self.text = self.bytes = None
        self.tree = None
        self.starts = [0]

    def report(self, rule, start, end, message, help):
        self.findings.append(dict(rule=rule, start=start, end=end, message=message, help=help))

    def set_text(self, text):
        self.text, self.bytes = text, text.encode("utf-8", "replace")
        for line in text.split("\n"):
            self.starts.append(self.starts[-1] + len(line.encode("utf-8", "replace")) + 1)

    def place(self, node):
        start = self.starts[node.lineno - 1] + node.col_offset
        return start, self.starts[node.end_lineno - 1] + node.end_col_offset

    def report_at(self, rule, node, message, help):
        self.report(rule, *self.place(node), message, help)

    def name_place(self, function):
        """The place of the name of a function or class, which the tree does not have."""
        start, end = self.place(function)
        source = self.bytes[start:end]
        found = re.match(rb"(?:async(?:\s|\\\n)+)?(?:def|class)(?:\s|\\\n)+", source)
        start += found.end() if found else 0
        return start, start + len(function.name.encode("utf-8", "replace"))

    def written(self, node):
        """The source of an expression, on one printable line."""
        start, end = self.place(node)
        return shown(" ".join(self.bytes[start:end].decode("utf-8", "replace").split()))


def shown(text):
    text = text if len(text) <= LONGEST else text[:LONGEST] + "…"
    return "".join(character if character.isprintable() else "\ufffd" for character in text)


def decode(script):
    # Python normalizes line ends before it looks for a declaration in the first two lines.
    raw = script.raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    declared = [(number, found) for number, line in enumerate(raw.split(b"\n", 2)[:2])
                for found in [CODING.match(line)] if found]

    def refuse(at, width, message, help):
        # The excerpt needs some text, so invalid bytes are replaced.
        text = lambda part: part.decode("utf-8", "replace").replace("\0", "\ufffd")
        script.set_text(text(raw[:at]) + text(raw[at:]))
        start = len(text(raw[:at]).encode("utf-8"))
        script.report("P002", start, start + width, message, help)

    def refuse_byte(at, encoding):
        if declared:
            help = "save the file in the encoding that it declares, or as UTF-8 without a declaration"
        else:
            help = "save the file as UTF-8, or declare its encoding in the first line, for example `# coding: gbk`"
        refuse(at, 3, "the byte 0x%02X is not %s" % (raw[at], encoding), help)

    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return refuse(0, 1, "the file is UTF-16, which Python does not support", "save it as UTF-8")
    nul = raw.find(b"\0")
    if nul >= 0:
        return refuse(nul, 3, "Python does not accept a NUL byte", "remove it")
    try:
        encoding = tokenize.detect_encoding(io.BytesIO(raw).readline)[0]
        text = raw.decode(encoding)
        text.encode("utf-8")
    except UnicodeDecodeError as error:
        return refuse_byte(error.start, encoding.upper().replace("-SIG", ""))
    except (SyntaxError, LookupError, ValueError) as error:
        if declared:
            number, found = declared[0]
            before = sum(len(line) + 1 for line in raw.split(b"\n")[:number])
            name = found.group(1).decode("ascii", "replace")
            return refuse(before + found.start(1), len(name), "Python cannot read a file as `%s`" % name,
                          "save the file as UTF-8 and remove this declaration")
        try:
            raw.decode("utf-8")
        except UnicodeDecodeError as bad:
            return refuse_byte(bad.start, "UTF-8")
        return refuse(0, 1, "Python cannot determine the encoding: %s" % error, "save the file as UTF-8")
    script.set_text(text)


def parse(script):
    """Sets the tree. It stays set after errors of the compiler only, such as `return` outside of a function."""
    try:
        script.tree = ast.parse(script.text)
        compile(script.tree, "<script>", "exec", dont_inherit=True)
    except SyntaxError as error:
        syntax_error(script, error)
    except (RecursionError, MemoryError):
        script.tree = None
        script.report("P003", 0, 0, "the script is nested too deep for Python",
                      "split nested expressions, such as a long sum or nested lists, into several statements")
    except ValueError as error:
        script.report("P001", 0, 0, "Python cannot read it: %s" % error, "correct it")


def syntax_error(script, error):
    lines = script.text.split("\n")

    def place(line, column):
        line = min(max(line or 1, 1), len(lines))
        before = lines[line - 1][: max((column or 1) - 1, 0)]
        return script.starts[line - 1] + len(before.encode("utf-8", "replace"))

    start = place(error.lineno, error.offset)
    end = place(getattr(error, "end_lineno", None) or error.lineno, getattr(error, "end_offset", None) or 0)
    line = lines[min(max(error.lineno or 1, 1), len(lines)) - 1]
    wide = [character for character in line if character in WIDE]
    if isinstance(error, TabError):
        help = "indent with spaces only"
    elif "\u00a0" in line:
        help = "replace the no-break spaces (U+00A0) in this line by spaces"
    elif wide and "invalid" in error.msg:
        help = "replace `%s` by the ASCII character" % wide[0]
    else:
        help = "correct it here"
    if script.tree is None:
        help += "; the other rules are checked after that"
    version = ".".join(map(str, sys.version_info[:3]))
    script.report("P001", start, max(start, end), "Python %s cannot read it: %s" % (version, error.msg), help)


def read(raw):
    script = Script(raw)
    decode(script)
    if not script.findings:
        parse(script)
    return script
