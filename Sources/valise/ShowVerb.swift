import Glibc
import LinuxFiles
import Shell

/// `valise show`: the window, at a document. It is a program of its own, because a drive needs no GTK. File managers call it from their menus.
func showVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    let path = arguments.operands.first
    if let path { try checkThere(path) }
    guard let program = windowProgram() else {
        let instead = path.map { "; to list its versions without it: valise versions \(shellWord($0))" } ?? "; to list your drives without it: valise list"
        throw Stop(1, "the window is not installed (valise-window)" + instead)
    }
    guard ["WAYLAND_DISPLAY", "DISPLAY"].contains(where: { environment($0)?.isEmpty == false }) else { throw Stop(1, "there is no display for a window") }
    // SAFETY: C strings with nil behind them. From here on this process is that program.
    unsafe execv(program, ProgramRun.words(program, path.map { [writtenPath($0)] } ?? []))
    throw Stop(1, "cannot start \(quoted(program)): \(Errno.current)")
}

/// Beside this program, or the first of PATH.
private func windowProgram() -> String? {
    let own = linkTarget("/proc/self/exe") ?? ""
    let beside = String(own[..<(own.lastIndex(of: "/") ?? own.startIndex)]) + "/valise-window"
    return isPermitted(X_OK, beside) ? beside : ProgramRun.find("valise-window")
}
