"""Containers and plain folders to measure with: the same content once as documents and once as plain files."""

import os
import plistlib


def archive(top, class_name, fields):
    """A keyed archive with one object, as an app writes it."""
    objects = ["$null", {}]
    root = objects[1]
    for key, value in fields.items():
        if isinstance(value, int):
            root[key] = value
        else:
            root[key] = plistlib.UID(len(objects))
            objects.append(value)
    root["$class"] = plistlib.UID(len(objects))
    objects.append({"$classname": class_name, "$classes": [class_name, "NSObject"]})
    return plistlib.dumps(
        {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {top: plistlib.UID(1)}, "$objects": objects},
        fmt=plistlib.FMT_BINARY,
    )


def image(number, size):
    """Bytes that begin like a JPEG and are different for each number."""
    head = bytes.fromhex("ffd8ffe000104a46494600010100000100010000")
    seed = number.to_bytes(8, "big")
    return (head + (seed * (size // 8 + 1)))[:size]


THUMBNAIL = bytes.fromhex("89504e470d0a1a0a") + bytes(2000)


def photos(folder, sizes):
    """A container with a photo package of each size."""
    documents = os.path.join(folder, "Documents")
    os.makedirs(documents)
    metadata = archive("Data", "PhotoKeeper.PhotoMetadata", {"Version": 1, "Thumbnail": THUMBNAIL})
    for number, size in enumerate(sizes):
        package = os.path.join(documents, f"IMG_{number:05}.ptk")
        os.mkdir(package)
        data = archive("Data", "PhotoKeeper.PhotoData", {"Version": 1, "Photo": image(number, size)})
        write(os.path.join(package, "photo.data"), data)
        write(os.path.join(package, "photo.metadata"), metadata)
    return folder


def plain(folder, sizes):
    """The same photos as plain files."""
    os.makedirs(folder)
    for number, size in enumerate(sizes):
        write(os.path.join(folder, f"IMG_{number:05}.jpg"), image(number, size))
    return folder


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)
