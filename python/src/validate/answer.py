"""Answers each script that comes on the standard input with a line of JSON. The last part of the program."""


def answer(raw):
    script = read(raw)
    reply = dict(findings=script.findings, entry=None)
    try:
        entry = validate(script) if script.tree is not None else None
        if entry is not None:
            reply["entry"] = describe(script, entry)
    except (RecursionError, MemoryError):
        script.report("P003", 0, 0, "the script nests so deep that it cannot be checked",
                      "split what nests, such as a long sum or a list in a list, into several statements")
    if script.text is not None and script.bytes != raw:
        reply["text"] = script.text
    return reply


def main():
    warnings.simplefilter("ignore")
    incoming, outgoing = sys.stdin.buffer, sys.stdout.buffer
    for length in iter(incoming.readline, b""):
        reply = json.dumps(answer(incoming.read(int(length))), ensure_ascii=False)
        # A script may hold halves of surrogate pairs, which JSON cannot.
        outgoing.write(reply.encode("utf-8", "replace") + b"\n")
        outgoing.flush()


main()
