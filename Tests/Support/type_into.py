"""Runs a program on a terminal of its own, types into it once it shows a word, and ends with its exit code.

usage: type_into.py WORD KEYS PROGRAM ...      KEYS with \\r, \\x13 and the like
"""
import os
import pty
import sys

word, keys = sys.argv[1].encode(), sys.argv[2].encode().decode("unicode_escape").encode("latin-1")
process, terminal = pty.fork()
if process == 0:
    os.environ["TERM"] = "xterm"
    os.execvp(sys.argv[3], sys.argv[3:])
seen, typed = b"", False
while True:
    try:
        shown = os.read(terminal, 4096)
    except OSError:  # the terminal of a program that has ended
        break
    if not shown:
        break
    seen += shown
    if not typed and word in seen:
        os.write(terminal, keys)
        typed = True
sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
