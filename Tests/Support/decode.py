"""Prints each property list named on the command line in one canonical line.

An independent decoder for the tests: whatever it prints must be what the tests
rendered themselves. Dictionaries by their keys' bytes, reals by their bits.
"""
import datetime
import plistlib
import struct
import sys


def render(value):
    if value is None:
        return "n"
    if isinstance(value, bool):
        return "t" if value else "f"
    if isinstance(value, plistlib.UID):
        return f"u{value.data}"
    if isinstance(value, int):
        return f"i{value}"
    if isinstance(value, float):
        return "r" + struct.pack(">d", value).hex()
    if isinstance(value, (bytes, bytearray)):
        return "d" + bytes(value).hex()
    if isinstance(value, str):
        return "s" + value.encode("utf-8", "surrogatepass").hex()
    if isinstance(value, datetime.datetime):
        return f"D{int((value - datetime.datetime(2001, 1, 1)).total_seconds())}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(render, value)) + "]"
    if isinstance(value, dict):
        members = sorted((key.encode("utf-8").hex(), render(item)) for key, item in value.items())
        return "{" + ",".join(f"{key}={item}" for key, item in members) + "}"
    raise TypeError(type(value))


for path in sys.argv[1:]:
    with open(path, "rb") as file:
        try:
            print(render(plistlib.load(file)))
        except Exception as error:  # the test shows it beside what it expected
            print(f"! {type(error).__name__}: {error}")
