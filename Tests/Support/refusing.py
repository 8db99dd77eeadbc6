"""Runs a program in which one system call fails with EPERM.

usage: refusing.py CALL PROGRAM
"""
import ctypes, os, struct, sys

NUMBERS = {
    "x86_64": {"setresuid": 117, "seccomp": 317, "landlock_restrict_self": 446, "prctl": 157},
    "aarch64": {"setresuid": 147, "seccomp": 277, "landlock_restrict_self": 446, "prctl": 167},
}
PR_SET_SECCOMP, FILTER, CAPBSET_DROP = 22, 2, 24

libc = ctypes.CDLL(None, use_errno=True)
number = NUMBERS[os.uname().machine][sys.argv[1]]
# if (number == …) return EPERM; else allow. Of prctl, what takes capabilities out of the bounding set.
code = [(0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7FFF0000)]
if sys.argv[1] == "prctl":
    code = [(0x20, 0, 0, 0), (0x15, 0, 3, number), (0x20, 0, 0, 16), (0x15, 0, 1, CAPBSET_DROP), (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7FFF0000)]
filters = b"".join(struct.pack("=HBBI", *line) for line in code)
buffer = ctypes.create_string_buffer(filters, len(filters))
program = struct.pack("HxxxxxxP", len(code), ctypes.addressof(buffer))
if libc.prctl(PR_SET_SECCOMP, FILTER, ctypes.c_char_p(program), 0, 0) != 0:
    sys.exit(f"no filter: {os.strerror(ctypes.get_errno())}")
os.execv(sys.argv[2], sys.argv[2:])
