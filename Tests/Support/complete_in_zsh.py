"""Types a line and a tab into zsh, with a folder of completions, and prints what the line is then."""

import os
import pty
import re
import select
import sys

folder, line = sys.argv[1:]
process, terminal = pty.fork()
if process == 0:
    os.environ.update(TERM="dumb", HOME=folder, ZDOTDIR=folder, PS1="> ")
    os.execlp("zsh", "zsh", "-f", "-i")


def read_until(pattern):
    """What zsh says in the pattern's place; nothing comes for a minute means that it never does."""
    said = ""
    while not (found := re.search(pattern, said)):
        if not select.select([terminal], [], [], 60)[0]:
            sys.exit(f"zsh said only: {said!r}")
        said += os.read(terminal, 65536).decode(errors="replace")
    return found[0].strip()


def type_in(text):
    os.write(terminal, text.encode())


type_in(f"PROMPT=; unsetopt zle; . {folder}/begin; fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -D; setopt zle; LISTMAX=0; echo rea''dy\n")
read_until("ready")
# Whatever comes of the tab is printed by what is behind it, not run.
type_in(f"{line}\t")
type_in("\x01print -r -- '<\x05>'\n")
print(read_until(r"\n<[^\n]*>\r?\n"))
os.kill(process, 9)
