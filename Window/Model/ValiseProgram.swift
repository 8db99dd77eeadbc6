import Foundation

/// Why something was not done, as `valise` says it.
public struct ValiseFault: Error, Equatable, Sendable, CustomStringConvertible {
    public let description: String
    /// A backup is encrypted, and its password has to be asked for.
    public var asksForPassword: Bool { description.contains("--password-file") }
    /// The password that was handed over is another one.
    public var isWrongPassword: Bool { description.contains(ValiseProgram.standardInput) }
    public init(_ sentence: String) { description = sentence }

    public static func sentence(of error: any Error) -> String { (error as? ValiseFault)?.description ?? error.localizedDescription }
}

/// `valise`, asked as any other program asks it: by its words, and with `--json` where it tells something. All that the window knows of drives and
/// documents comes from there, so that it needs nothing of the drive's own code.
public struct ValiseProgram: Sendable {
    public let path: String

    public init(path: String) { self.path = path }

    /// The one beside this program, or the first of PATH.
    public static func found() throws -> ValiseProgram {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        let folders = [(own as NSString).deletingLastPathComponent] + (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        for folder in folders where FileManager.default.isExecutableFile(atPath: folder + "/valise") { return ValiseProgram(path: folder + "/valise") }
        throw ValiseFault("The program “valise” is not installed: it is neither beside this one nor in PATH.")
    }

    struct Ended: Sendable {
        let code: Int32, output: Data, errors: String
    }

    /// What a program calls that which is handed to it by a pipe.
    static let standardInput = "/dev/stdin"

    /// Beside the main thread, to its end.
    func run(_ words: [String], input: String? = nil) async throws -> Ended { try await run(words, input: input) { $0 } }

    /// The same, and what it said is read there, too.
    private func run<Answer: Sendable>(_ words: [String], input: String? = nil, reading read: @escaping @Sendable (Ended) throws -> Answer) async throws -> Answer {
        try await OwnThread.run {
            let process = prepared(words), output: Pipe, errors: Pipe
            if let input {
                let pipe = Pipe()
                // It is short, and in the pipe before anybody reads it.
                try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
                try pipe.fileHandleForWriting.close()
                process.standardInput = pipe
            }
            do { (output, errors) = try Self.started(process) } catch { throw ValiseFault("“\(path)” cannot be started: \(error.localizedDescription)") }
            let said = ReadToEnd(errors.fileHandleForReading)
            let answer = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return try read(Ended(code: process.terminationStatus, output: answer, errors: String(decoding: said.wait(), as: UTF8.self)))
        }
    }

    /// One at a time: a program that starts meanwhile would get what another one is to close when it ends, and keep it open.
    static func started(_ process: Process) throws -> (output: Pipe, errors: Pipe) {
        try starting.withLock {
            let output = Pipe(), errors = Pipe()
            (process.standardOutput, process.standardError) = (output, errors)
            try process.run()
            return (output, errors)
        }
    }

    private static let starting = NSLock()

    func prepared(_ words: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = words
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// What it says with `--json`. What it cannot tell of one of several stands in that one's place.
    func answer<Answer: Decodable & Sendable>(_ words: String..., as type: Answer.Type) async throws -> Answer {
        try await run(words) { ended in
            if let fault = try? Self.decoder.decode(FaultAnswer.self, from: ended.output) { throw ValiseFault(fault.sentence) }
            do { return try Self.decoder.decode(type, from: ended.output) } catch {
                throw ValiseFault(ended.errors.isEmpty ? "“valise \(words.first ?? "")” answers what this window does not understand: they are of different versions." : Self.sentence(ended.errors))
            }
        }
    }

    /// Something is done; answers what is said of it.
    @discardableResult
    func perform(_ words: [String], input: String? = nil) async throws -> String {
        let ended = try await run(words, input: input)
        guard ended.code == 0 else { throw ValiseFault(ended.errors.isEmpty ? "“valise \(words.first ?? "")” failed (\(ended.code))." : Self.sentence(ended.errors)) }
        return String(decoding: ended.output, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    /// Its lines, without its name before them.
    static func sentence(_ errors: String) -> String {
        errors.split(separator: "\n").map { $0.hasPrefix("valise: ") ? String($0.dropFirst(8)) : String($0) }.joined(separator: "\n")
    }

    static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            guard let date = date(text) else { throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "\(text) is no time")) }
            return date
        }
        return decoder
    }()

    /// `2026-11-21T23:27:33Z`, or with parts of a second, of which there may be nine digits.
    static func date(_ text: String) -> Date? {
        let parts = text.dropLast(text.hasSuffix("Z") ? 1 : 0).split(separator: ".", maxSplits: 1)
        guard let whole = parts.first, let date = try? Date(whole + "Z", strategy: .iso8601) else { return nil }
        return date + (parts.count > 1 ? Double("0." + parts[1]) ?? 0 : 0)
    }
}

/// In the place of an answer, or of one of several.
struct FaultAnswer: Decodable {
    let error: String
    let mend: String?
    var sentence: String { error + (mend.map { "; " + $0 } ?? "") }
}

/// Read by a thread of its own, so that neither of two pipes is full while somebody waits for the other.
private final class ReadToEnd: @unchecked Sendable {
    // @unchecked: written once, before the group is left, and read after.
    private var data = Data()
    private let group = DispatchGroup()

    init(_ handle: FileHandle) {
        group.enter()
        Thread.detachNewThread { [self] in
            data = handle.readDataToEndOfFile()
            group.leave()
        }
    }

    func wait() -> Data {
        group.wait()
        return data
    }
}
