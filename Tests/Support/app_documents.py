"""Puts two documents of apps into a container that hold more than Valise knows of: a bookmark and a photo.

usage: app_documents.py FOLDER
"""
import base64
import os
import plistlib
import sys

IMAGE = base64.b64decode(
    "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////"
    "////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=")


def archive(top, class_name, fields):
    uid = plistlib.UID
    objects = ["$null", {}]
    for key, value in fields.items():
        if isinstance(value, int):
            objects[1][key] = value
        else:
            objects.append(value)
            objects[1][key] = uid(len(objects) - 1)
    objects.append({"$classname": class_name, "$classes": [class_name, "NSObject"]})
    objects[1]["$class"] = uid(len(objects) - 1)
    return plistlib.dumps({"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {top: uid(1)}, "$objects": objects}, fmt=plistlib.FMT_BINARY)


def write(name, content):
    with open(os.path.join(sys.argv[1], name), "wb") as file:
        file.write(content)


bookmark = "Bookmark_Page-1700000000.123456"
write(bookmark, archive("Bookmark", "Reader.Bookmark", {"Bookmark Name": "Page", "Bookmark URL": "https://old.example/", "Rating": 5, "Notes": "read it"}))
os.setxattr(os.path.join(sys.argv[1], bookmark), "user.tag", b"blue")
os.mkdir(os.path.join(sys.argv[1], "cat.ptk"))
write("cat.ptk/photo.data", archive("data", "PTKData", {"Version": 1, "Photo": IMAGE, "Extra": 7}))
write("cat.ptk/notes", b"the app's own")
os.setxattr(os.path.join(sys.argv[1], "cat.ptk"), "user.tag", b"red")
os.setxattr(os.path.join(sys.argv[1], "cat.ptk/photo.data"), "user.tag", b"green")
