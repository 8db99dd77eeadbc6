#!/usr/bin/env python3
"""How fast bookmarks come in: 50,000 of them, again, more of them, and back out. Prints what was measured; Python's own parsing beside it,
and how long as many files take natively, each as an import makes one: in one folder created, written, given an attribute and a time,
closed, and renamed into its own of 200 folders.

    Benchmarks/import.py [VALISE] [COUNT]

An import is mostly files that are made, and the native line says how fast the file system does that in the same run. Compare with it, and
not with another day's seconds. On an ext4 where much was deleted within the last minutes, making files takes ten times as long, natively
too: give TMPDIR a fresh tmpfs, or a fresh ext4 on a loop device.
"""

import errno, html.parser, os, re, subprocess, sys, tempfile, time

valise = sys.argv[1] if len(sys.argv) > 1 else ".build/release/valise"
count = int(sys.argv[2]) if len(sys.argv) > 2 else 50_000


def page(path, count):
    with open(path, "w") as file:
        file.write("<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n")
        for folder in range(0, count, 250):
            file.write(f"<DT><H3>Folder {folder // 250}</H3>\n<DL><p>\n")
            for index in range(folder, min(count, folder + 250)):
                file.write(f'<DT><A HREF="https://example.org/page/{index}?a=1&amp;b=2" ADD_DATE="{1700000000 + index}" TAGS="one,two">Page {index} of a site</A>\n')
            file.write("</DL><p>\n")
        file.write("</DL><p>\n")


def timed(*words):
    begin = time.monotonic()
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{words}: {output}")
    return time.monotonic() - begin, usage.ru_maxrss / 1024, output


def size(container):
    """What a stored bookmark has on average, in bytes."""
    sizes = [os.path.getsize(f"{path}/{file}") for path, _, files in os.walk(f"{container}/Documents") for file in files if file.startswith("Bookmark_")]
    return sum(sizes) // len(sizes)


def natively(top, count, size):
    """As many files of that size, by the calls that an import makes for each. Seconds."""
    staged, content, folders = f"{top}/staged", b"x" * size, max(1, count // 250)
    begin = time.monotonic()
    for folder in [top, staged] + [f"{top}/{number}" for number in range(folders)]:
        os.mkdir(folder)
    for index in range(count):
        file = os.open(f"{staged}/{index}", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
        os.write(file, content)
        try:
            os.setxattr(file, "user.valise.saved", b"1795303653.123456789 1700000000.0")
        except OSError as fault:
            # A store without attributes: an import goes on there, too.
            if fault.errno != errno.ENOTSUP:
                raise
        os.utime(file, (1700000000, 1700000000))
        os.close(file)
        os.rename(f"{staged}/{index}", f"{top}/{index % folders}/{index}")
    return time.monotonic() - begin


class Links(html.parser.HTMLParser):
    count = 0

    def handle_starttag(self, tag, attributes):
        self.count += tag == "a"


with tempfile.TemporaryDirectory() as folder:
    file, container = f"{folder}/bookmarks.html", f"{folder}/Container"
    for number in (count, 4 * count):
        page(file, number)
        subprocess.run(["rm", "-rf", container], check=True)
        subprocess.run([valise, "init", "-q", container], check=True)
        seconds, memory, output = timed(valise, "import", file, container)
        assert f"{number:,} are new" in output, output
        print(f"import of {number}: {seconds:.2f} s, {number / seconds:,.0f} a second, {memory:.0f} MB at most")
        bytes = size(container)
        alone = natively(f"{folder}/Native {number}", number, bytes)
        print(f"  natively, as many files of {bytes} bytes: {alone:.2f} s; the import takes {seconds / alone:.1f} times as long")
        seconds, memory, output = timed(valise, "import", file, container)
        assert output.startswith("Nothing is new"), output
        print(f"  once more: {seconds:.2f} s, 0 changes, {memory:.0f} MB")
        seconds, memory, output = timed(valise, "export", container)
        assert len(re.findall("<A HREF", output)) == number
        print(f"  export: {seconds:.2f} s, {memory:.0f} MB")
        if number == count:
            seconds, memory, _ = timed(valise, "import", "--undo", container)
            print(f"  taken back: {seconds:.2f} s, {memory:.0f} MB")
    parser, begin = Links(), time.monotonic()
    parser.feed(open(file).read())
    print(f"Python's html.parser goes through the larger file in {time.monotonic() - begin:.2f} s ({parser.count} links)")
