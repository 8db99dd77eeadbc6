"""Tells the fields of a keyed archive's one object: references followed, data as its SHA-256."""
import hashlib
import plistlib


def fields(path):
    with open(path, "rb") as file:
        archive = plistlib.load(file)
    objects = archive["$objects"]

    def told(value):
        if isinstance(value, plistlib.UID):
            value = objects[value.data]
        if isinstance(value, dict):
            # The mutable forms, and classes.
            value = value.get("NS.string", value.get("NS.data", value.get("$classname")))
        return hashlib.sha256(value).hexdigest() if isinstance(value, bytes) else str(value)

    root = objects[next(iter(archive["$top"].values())).data]
    return {key: told(value) for key, value in root.items()}
