import Containers
import LinuxFiles

/// What imports have made in a container: a file for each import in `.valise/imports`, in the order of their numbers, with a `MadeItem` a line. It is on the
/// store before what it speaks of is in its place.
final class ImportList {
    private let folder: OpenFile
    private let name: Name
    private let file: OpenFile
    private var length: Int64 = 0

    /// So many are kept.
    private static let most = 10

    /// Begins a new one.
    init(in container: Container) throws(Failure) {
        guard let folder = try container.importsPlace(making: true) else { throw Failure(.noSuchEntry, "“\(container.path)” has no place for a list of imports") }
        do throws(Errno) {
            let numbers = try Self.numbers(in: folder)
            for old in numbers.dropLast(Self.most - 1) { try? folder.descriptor.unlink(Name.number(old)) }
            name = Name.number((numbers.last ?? 0) + 1)
            file = OpenFile(try folder.descriptor.open(name, [.readWrite, .create, .exclusive], mode: 0o600))
        } catch { throw Failure(error, "the list of what is imported cannot be written in “\(container.path)”: \(error)", cause: error) }
        self.folder = folder
    }

    func add(_ items: [MadeItem]) throws(Errno) {
        let bytes = Array(items.map { $0.line + "\n" }.joined().utf8)
        try file.descriptor.write(bytes, at: length)
        length += Int64(bytes.count)
        try file.descriptor.synchronize()
    }

    /// An import that made nothing is none to take back.
    func end() { if length == 0 { try? folder.descriptor.unlink(name) } }

    private static func numbers(in folder: OpenFile) throws(Errno) -> [UInt64] {
        var entries = try FolderReader(folder.descriptor), numbers: [UInt64] = []
        while let entry = try entries.next() { if let number = UInt64(String(decoding: entry.name.bytes, as: UTF8.self)) { numbers.append(number) } }
        return numbers.sorted()
    }

    /// The last one that brought something into a folder or further in: its name, and what it says. Nil where there is none.
    static func last(in container: Container, at path: [Name]) throws(Failure) -> (folder: OpenFile, name: Name, items: [MadeItem])? {
        guard let folder = try container.importsPlace(making: false) else { return nil }
        do throws(Errno) {
            for number in try numbers(in: folder).reversed() {
                let name = Name.number(number), bytes = try folder.descriptor.open(name, [.read, .nonBlocking]).readAll(limit: 1 << 30)
                let items = bytes.split(separator: 0x0A).compactMap { MadeItem(line: $0) }
                if path.isEmpty || items.contains(where: { $0.path.starts(with: path) }) { return (folder, name, items) }
            }
            return nil
        } catch { throw Failure(error, "the list of what was imported into “\(container.path)” cannot be read: \(error)", cause: error) }
    }
}

extension Name {
    fileprivate static func number(_ number: UInt64) -> Name { Name("\(number)") ?? Name(constant: "0") }
}
