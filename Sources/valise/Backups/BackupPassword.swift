import Backups
import Glibc
import LinuxFiles
import Shell

/// The password of a backup: typed, or out of a file. It is in no argument, no variable and no log.
enum BackupPassword {
    private static let tries = 3

    /// `isKept`: the kernel is to keep the key.
    static func unlock(_ backup: Backup, called named: String, _ given: GivenPassword?, isKept: Bool, code: Int32) throws(Stop)
        -> BackupKeys
    {
        if given == nil, let keys = KeptKeys.open(backup) { return keys }
        if let given {
            guard let keys = try derived(backup, given.secret, isKept: isKept, code: code) else {
                throw Stop(code, "the password in \(quoted(given.file)) is not that of the backup \(quoted(named))")
            }
            return keys
        }
        for attempt in 1...tries {
            guard let typed = TypedPassword.ask("password of the backup \(quoted(named)): ") else {
                throw Stop(
                    code,
                    "the backup \(quoted(named)) is encrypted, and nobody can be asked for its password here; name a file that has it: --password-file FILE"
                )
            }
            if let keys = try derived(backup, typed, isKept: isKept, code: code) { return keys }
            printError("that is not the password of the backup" + (attempt < tries ? "; try again" : ""))
        }
        throw Stop(
            code,
            "the backup \(quoted(named)) stays closed: it is the password that was chosen for backups in Finder or iTunes, which is not the device's code"
        )
    }

    /// It takes seconds, by design of who made the backup: a thread does it, and this one says how far it is.
    private static func derived(_ backup: Backup, _ password: SecretBytes, isKept: Bool, code: Int32) throws(Stop) -> BackupKeys? {
        guard let key = try derivedKey(backup, password, code: code) else { return nil }
        do throws(Failure) {
            guard let keys = try backup.open(with: key) else { return nil }
            if isKept {
                do throws(Errno) { try KeptKeys.keep(key, of: backup) } catch { printError("the kernel does not keep the key of the backup: \(error)") }
            }
            return keys
        } catch { throw Stop(code, error.sentence) }
    }

    private static func derivedKey(_ backup: Backup, _ password: SecretBytes, code: Int32) throws(Stop) -> SecretBytes? {
        let answer = AwaitedAnswer<Result<SecretBytes?, Failure>>(), expected = max(0.1, backup.unlockSeconds),
            began = Clock.now
        BackgroundThread.start {
            do throws(Failure) { answer.give(.success(try backup.key(of: password))) } catch {
                answer.give(.failure(error))
            }
        }
        let isShown = isatty(2) == 1
        defer { if isShown { writeAll(Array("\r\u{1B}[K".utf8), to: 2) } }
        while true {
            if let outcome = answer.wait(milliseconds: 200) {
                do throws(Failure) { return try outcome.get() } catch { throw Stop(code, error.sentence) }
            }
            let share = min(99, Int(Double(Clock.now - began) / 10 / expected))
            if isShown { writeAll(Array("\r\u{1B}[Kmaking the key of the password: \(share) %".utf8), to: 2) }
        }
    }
}

/// The password in the first line of a file (`--password-file`).
struct GivenPassword {
    let file: String
    let secret: SecretBytes
    private static let longest = 1024

    /// nil where no file is named.
    init?(_ arguments: Arguments, code: Int32) throws(Stop) {
        guard let path = arguments.values(of: .passwordFile).last else { return nil }
        Memory.hide()
        var bytes: [UInt8] = []
        defer { SecretBytes.wipe(&bytes) }
        do throws(Errno) {
            let opened = try Descriptor.atPath(path, .read)
            // A pipe gives it piece by piece.
            while bytes.count <= Self.longest, !bytes.contains(UInt8(ascii: "\n")) {
                var more = [UInt8](repeating: 0, count: Self.longest)
                // SAFETY: read writes at most the array's count.
                let count = unsafe read(opened.rawValue, &more, more.count)
                guard count >= 0 else { throw .current }
                guard count > 0 else { break }
                bytes += more.prefix(count)
                SecretBytes.wipe(&more)
            }
        } catch { throw Stop(code, "cannot read the password in \(quoted(path)): \(error)") }
        var line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        guard !line.isEmpty, line.count <= Self.longest, let secret = SecretBytes(line) else {
            throw Stop(code, "there is no password in the first line of \(quoted(path))")
        }
        (file, self.secret) = (path, secret)
    }
}

/// A line typed on the terminal without being shown. The terminal is as it was afterwards, also where somebody presses
/// Control-C.
private enum TypedPassword {
    private static let longest = 1024

    /// nil where there is no terminal, or it was given up.
    static func ask(_ question: String) -> SecretBytes? {
        guard let terminal = try? Descriptor.atPath("/dev/tty", .readWrite) else { return nil }
        var before = termios()
        // SAFETY: these fill and read the struct that they are given.
        guard unsafe tcgetattr(terminal.rawValue, &before) == 0 else { return nil }
        var silent = before
        // Each key as it comes, signals among them: nothing ends this process while the terminal is silent.
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        guard unsafe tcsetattr(terminal.rawValue, TCSAFLUSH, &silent) == 0 else { return nil }
        writeAll(Array(question.utf8), to: terminal.rawValue)
        var typed: [UInt8] = [], isGivenUp = false
        reading: while typed.count < longest {
            var key: UInt8 = 0
            let count = unsafe read(terminal.rawValue, &key, 1)
            if count < 0, errno == EINTR { continue }
            switch (count, key) {
            case (1, 0x0A), (1, 0x0D): break reading
            case (1, 0x08), (1, 0x7F):
                // The whole of a letter.
                while let last = typed.popLast(), last & 0xC0 == 0x80 {}
            case (1, 0x15): SecretBytes.wipe(&typed)
            case (1, 0x03), (1, 0x1C), (...0, _):
                isGivenUp = true
                break reading
            case (1, 0x04):
                if typed.isEmpty {
                    isGivenUp = true
                    break reading
                }
            default: typed.append(key)
            }
        }
        unsafe tcsetattr(terminal.rawValue, TCSAFLUSH, &before)
        writeAll(Array("\n".utf8), to: terminal.rawValue)
        defer { SecretBytes.wipe(&typed) }
        return isGivenUp || typed.isEmpty ? nil : SecretBytes(typed)
    }
}
