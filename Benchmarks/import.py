#!/usr/bin/env python3
"""How fast bookmarks come in: 50,000 of them, again, more of them, and back out. Prints what was measured; Python's own parsing beside it.

    Benchmarks/import.py [VALISE] [COUNT]
"""

import html.parser, os, re, subprocess, sys, tempfile, time

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
