import Glibc
import LinuxFiles

/// What became of a question to a drive.
enum Reply {
    case answer([UInt8])
    case failed(Errno)
    /// No answer in time.
    case silent
}

extension Child {
    /// How long a drive has for an answer.
    static let patience = 3

    /// How many are asked for what takes the processor, as reading all of a container does.
    static let atWork = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    typealias Question = () throws(Errno) -> [UInt8]

    /// Asks in a child, because a drive that is stopped does not answer.
    static func ask(seconds: Int = patience, _ question: @escaping Question) -> Reply { ask(seconds: seconds, atOnce: 1, [question])[0] }

    /// Asks several at once.
    static func ask(seconds: Int = patience, atOnce: Int = 64, _ questions: [Question]) -> [Reply] {
        run(seconds: seconds, atOnce: atOnce, questions.map(body)).map { outcome in
            switch outcome {
            case .success(.ended(let bytes, code: 0)): .answer(bytes)
            case .success(.ended(let bytes, code: 3)): .failed(Errno(rawValue: Int32(String(decoding: bytes, as: UTF8.self)) ?? EIO))
            case .success(.ended): .failed(.inputOutput)
            case .success(.silent): .silent
            case .failure(let error): .failed(error)
            }
        }
    }

    private static func body(_ question: @escaping Question) -> (Int32) -> Int32 {
        { answer in
            do throws(Errno) { return writeAll(try question(), to: answer) ? 0 : 1 }
            catch { return writeAll(Array("\(error.rawValue)".utf8), to: answer) ? 3 : 1 }
        }
    }
}

/// A program that was run: what it printed, and its exit code.
struct ProgramRun {
    let output: String
    let code: Int32

    /// Runs a program that is looked for in the usual places; nil where there is none or it does not end.
    static func run(_ name: String, _ arguments: [String], seconds: Int = 10) -> ProgramRun? {
        guard let program = find(name) else { return nil }
        let outcome = try? Child.run(seconds: seconds) { answer in
            dup2(answer, 1)
            dup2(answer, 2)
            // SAFETY: C strings with nil behind them; the process ends if execv returns.
            unsafe execv(program, words(program, arguments))
            return 127
        }
        guard case .ended(let bytes, let code)? = outcome, code != 127 else { return nil }
        return ProgramRun(output: String(decoding: bytes, as: UTF8.self), code: code)
    }

    /// The words of a call as C wants them. They are never freed: whoever makes them calls another program.
    static func words(_ program: String, _ arguments: [String]) -> [UnsafeMutablePointer<CChar>?] {
        var words: [UnsafeMutablePointer<CChar>?] = unsafe []
        // SAFETY: strdup copies the text.
        for word in [program] + arguments { unsafe words.append(strdup(word)) }
        unsafe words.append(nil)
        return unsafe words
    }

    /// Where a program is. PATH may lack the folders of the system's own programs.
    static func find(_ name: String) -> String? {
        let path = environment("PATH") ?? ""
        let folders = path.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        return (folders + ["/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin"])
            .map { "\($0)/\(name)" }
            .first { isPermitted(X_OK, $0) }
    }
}

func environment(_ name: String) -> String? {
    // SAFETY: the text is copied at once, and this process has one thread.
    unsafe getenv(name).map { unsafe String(cString: $0) }
}
