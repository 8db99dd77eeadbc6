import Glibc
import KeyValueStore
import LinuxFiles
import Shell

/// `valise kvs`: an app's small settings, read and changed as the app does it itself.
func kvsVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    let call: KeyValueCall
    do throws(UsageFault) { call = try KeyValueCall(arguments.operands) } catch { throw Stop(error) }
    let type = try namedType(arguments, call)
    let file = try KeyValuePlace.store(of: call)
    let answer = KeyValueAnswer(file, isJSON: arguments.has(.json), isQuiet: arguments.has(.quiet))
    switch call.deed {
    case .get: try get(call.key, file, answer)
    case .set:
        try set(call, type, file, answer)
        printIfVerbose("\(quoted(call.key)) is set in the key-value store of \(quoted(file.path))", arguments)
    case .delete:
        try delete(call.key, file, answer)
        printIfVerbose("\(quoted(call.key)) is not in the key-value store of \(quoted(file.path)) any more", arguments)
    case .list: answer.list(try reading(file))
    case .watch: try watch(file, answer)
    }
    return 0
}

private func namedType(_ arguments: Arguments, _ call: KeyValueCall) throws(Stop) -> KeyValueType? {
    guard let word = arguments.values(of: .keyType).last else { return nil }
    guard call.deed == .set else { throw Stop(2, "--type is for “valise kvs set”: what is there has its type already") }
    guard let type = KeyValueType(rawValue: word) else {
        throw Stop(2, "\(quoted(word)) is no type; there are: \(KeyValueType.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return type
}

private func reading(_ file: KeyValueFile) throws(Stop) -> KeyValueFile.Reading {
    do throws(Failure) { return try file.read() } catch { throw Stop(1, error.sentence) }
}

private func get(_ key: String, _ file: KeyValueFile, _ answer: KeyValueAnswer) throws(Stop) {
    let reading = try reading(file)
    guard reading.contents[key] != nil else {
        throw Stop(1, (reading.loss.map { "\($0). So " } ?? "") + "there is no key \(quoted(key)) in the key-value store of \(quoted(file.path)); those that are: valise kvs list \(shellWord(file.path))")
    }
    answer.value(of: key, reading)
}

private func set(_ call: KeyValueCall, _ type: KeyValueType?, _ file: KeyValueFile, _ answer: KeyValueAnswer) throws(Stop) {
    let bytes = call.value == "-" ? try standardInput() : Array(call.value.utf8)
    var stop: Stop?
    let reading = try change(file) { contents in
        let type = type ?? contents[call.key].flatMap { KeyValueType(of: $0) } ?? KeyValueText.type(ofNew: bytes)
        guard let value = KeyValueText.value(bytes, as: type) else {
            if [.array, .dictionary].contains(type), let json = JSON(bytes), hasNull(json) {
                stop = Stop(1, "the value for \(quoted(call.key)) has a “null” in it, which no app's settings can keep: leave it out")
                return
            }
            stop = Stop(1, "the value for \(quoted(call.key)) is no \(type.rawValue): that is \(type.example); to give it another type: --type TYPE")
            return
        }
        do throws(KeyValueFault) { try contents.set(call.key, to: value, at: KeyValueFile.now) } catch {
            stop = Stop(1, "\(quoted(call.key)) was not set: \(error.sentence)" + mend(error, file))
        }
    }
    if let stop { throw stop }
    answer.changed(call.key, reading)
}

private func hasNull(_ value: JSON) -> Bool { value == .null || value.elements.contains(where: hasNull) || value.members.contains { hasNull($0.value) } }

/// What to do about it, where it is not said already.
private func mend(_ fault: KeyValueFault, _ file: KeyValueFile) -> String {
    switch fault {
    case .keys, .bytes: "; to see what there is: valise kvs list \(shellWord(file.path))"
    case .key, .value: ""
    }
}

private func delete(_ key: String, _ file: KeyValueFile, _ answer: KeyValueAnswer) throws(Stop) {
    answer.changed(key, try change(file) { contents in contents.remove(key, at: KeyValueFile.now) })
}

private func change(_ file: KeyValueFile, _ body: (inout KeyValueContents) -> Void) throws(Stop) -> KeyValueFile.Reading {
    do throws(Failure) { return try file.change(body) } catch { throw Stop(1, error.sentence) }
}

/// A little more than fits, so that it is refused for its size and not cut.
private func standardInput() throws(Stop) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while bytes.count <= KeyValueContents.mostBytes * 2 {
        // SAFETY: read writes at most as many bytes as it is told there are.
        let count = unsafe Glibc.read(0, &buffer, buffer.count)
        if count < 0, Errno.current == .interrupted { continue }
        guard count >= 0 else { throw Stop(1, "cannot read standard input: \(Errno.current)") }
        if count == 0 { break }
        bytes += buffer.prefix(count)
    }
    return bytes
}

private func watch(_ file: KeyValueFile, _ answer: KeyValueAnswer) throws(Stop) {
    StopWish.listen()
    StopWish.endWithReader()
    let watch: KeyValueWatch
    do throws(Failure) { watch = try file.watch() } catch { throw Stop(1, error.sentence) }
    var known = try reading(file)
    answer.begin(known)
    while !StopWish.isThere {
        guard watch.wait(milliseconds: 60_000) else { continue }
        let now = try reading(file)
        for key in now.contents.keysThatDiffer(from: known.contents) { answer.difference(key, known, now) }
        known = now
    }
}
