import Foundation
import Synchronization

/// Python that answers many questions: what most tests ask it takes less than starting it does. `Tests/Support/serve.py` says what can be asked.
final class PythonServer: Sendable {
    private static let idle = Mutex<[PythonServer]>([])
    private let socket: Int32

    private init() throws { socket = try Program.serving(["python3", Places.support("serve.py")]) }

    /// One that answers somebody else is not waited for.
    static func answer<Value: Decodable>(_ question: String...) throws -> Value {
        let server = try idle.withLock { $0.popLast() } ?? PythonServer()
        let line = try server.answer(to: question)
        idle.withLock { $0.append(server) }
        let answer = try JSONDecoder().decode(Answer<Value>.self, from: line)
        guard let value = answer.value else { throw Failed("\(question.joined(separator: " ")): \(answer.fault ?? "no answer")") }
        return value
    }

    private struct Answer<Value: Decodable>: Decodable {
        let value: Value?
        let fault: String?
    }

    private func answer(to question: [String]) throws -> Data {
        let asked = try JSONEncoder().encode(question) + [0x0A]
        var sent = 0
        while sent < asked.count {
            sent += try checked("send", asked.withUnsafeBytes { send(socket, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL)) })
        }
        var line = Data(), buffer = [UInt8](repeating: 0, count: 1 << 16)
        while line.last != 0x0A {
            let count = try checked("read", read(socket, &buffer, buffer.count))
            guard count > 0 else { throw Failed("Python ended when it was asked: \(question.joined(separator: " "))") }
            line.append(contentsOf: buffer[..<count])
        }
        return line
    }
}
