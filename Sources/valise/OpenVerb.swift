import Documents
import Glibc
import LinuxFiles
import Shell

/// `valise open`: a link file in the browser. File managers call it for the link files that nobody else opens.
func openVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    let path = arguments.operands[0]
    let address: String
    try checkThere(path)
    let form = try form(of: path), file = try linkFile(path)
    do throws(DocumentFault) { address = try LinkFile.parse(file, form: form).address() } catch {
        switch error {
        case .foreign(let reason), .damaged(let reason), .unfit(let reason): throw Stop(1, "cannot open \(quoted(path)): \(clause(reason))")
        case .unreadable(let number): throw Stop(1, "cannot read \(quoted(path)): \(Errno(rawValue: number ?? EIO))")
        }
    }
    guard let program = ProgramRun.find("xdg-open") else {
        throw Stop(1, "the program xdg-open is missing, which finds the browser; try: sudo apt-get install xdg-utils")
    }
    // SAFETY: C strings with nil behind them. From here on this process is that program.
    unsafe execv(program, ProgramRun.words(program, [address]))
    throw Stop(1, "cannot start \(quoted(program)): \(Errno.current)")
}

/// In a child, because the file may be on a drive that does not answer.
private func linkFile(_ path: String) throws(Stop) -> [UInt8] {
    switch Child.ask({ () throws(Errno) in try contents(of: path, limit: LinkFile.limit) }) {
    case .answer(let bytes): return bytes
    case .failed(let error): throw Stop(1, "cannot read \(quoted(path)): \(error)")
    case .silent: throw Stop(1, "\(quoted(path)) is on a file system that does not answer; to see which: valise doctor")
    }
}

private func form(of path: String) throws(Stop) -> LinkForm {
    let fileExtension = path.lastIndex(of: ".").map { String(path[path.index(after: $0)...]) } ?? ""
    guard let form = LinkForm(fileExtension: fileExtension) else {
        throw Stop(1, "\(quoted(path)) is no link file: those end in .url, .desktop, .webloc or .html")
    }
    return form
}
