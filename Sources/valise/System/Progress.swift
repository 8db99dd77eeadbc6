import Glibc

/// How far long work has come: a line on a terminal that is written over, and nothing anywhere else.
final class Progress {
    private let what: String
    private let isShown = isatty(2) == 1
    private var last: Int64 = 0
    private var isLineBegun = false

    init(_ what: String) { self.what = what }

    func show(_ count: Int) {
        guard isShown, Clock.now - last > 100 else { return }
        last = Clock.now
        isLineBegun = true
        writeAll(Array("\r\u{1B}[K\(count) \(what)".utf8), to: 2)
    }

    func end() {
        if isLineBegun { writeAll(Array("\r\u{1B}[K".utf8), to: 2) }
    }
}
