"""Replies to each script on standard input with a line of JSON. The last part of the program."""


def answer(raw):
    script = read(raw)
    reply = dict(findings=script.findings, entry=None)
    try:
        entry = validate(script) if script.tree is not None else None
        if entry is not None:
            reply["entry"] = describe(script, entry)
    except (RecursionError, MemoryError):
        script.report("P003", 0, 0, "the script is nested too deep to be checked",
                      "split nested expressions, such as a long sum or nested lists, into several statements")
    if script.text is not None and script.bytes != raw:
        reply["text"] = script.text
    return reply


def main():
    warnings.simplefilter("ignore")
    incoming, outgoing = sys.stdin.buffer, sys.stdout.buffer
    for length in iter(incoming.readline, b""):
        reply = json.dumps(answer(incoming.read(int(length))), ensure_ascii=False)
        # A script may contain unpaired surrogates, which JSON cannot represent.
        outgoing.write(reply.encode("utf-8", "replace") + b"\n")
        outgoing.flush()


main()
