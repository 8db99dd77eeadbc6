import PropertyLists

/// A keyed archive with one object, made from nothing.
public struct NewArchive {
    private let topKey: String
    private let className: String
    private var fields: [(key: String, value: ArchiveEditor.NewValue)] = []

    public init(topKey: String, className: String) {
        self.topKey = topKey
        self.className = className
    }

    public mutating func set(_ key: String, to value: ArchiveEditor.NewValue) { fields.append((key, value)) }

    public func bytes() -> [UInt8] { table().bytes() }
    public func written() -> (head: [UInt8], tail: [UInt8]) { table().written() }

    private func table() -> ObjectTable {
        var table = ObjectTable()
        let null = table.add(string: "$null")
        var keys: [Int] = [], values: [Int] = []
        var objects = [null]
        let root = table.add(.dictionary(keys: [], values: []))
        objects.append(root)
        for (key, value) in fields {
            keys.append(table.add(string: key))
            let object: Int
            switch value {
            case .integer(let number):
                values.append(table.add(integer: number))
                continue
            case .none:
                values.append(table.add(uid: 0))
                continue
            case .string(let text): object = table.add(string: text)
            case .data(let bytes): object = table.add(data: bytes)
            case .placed(let count): object = table.add(.placed(count: count))
            }
            values.append(table.add(uid: UInt64(objects.count)))
            objects.append(object)
        }
        keys.append(table.add(string: "$class"))
        values.append(table.add(uid: UInt64(objects.count)))
        objects.append(classObject(&table))
        table.replace(root, by: .dictionary(keys: keys, values: values))

        let top = table.add(.dictionary(keys: [table.add(string: topKey)], values: [table.add(uid: 1)]))
        let entries = [
            ("$version", table.add(integer: 100_000)), ("$archiver", table.add(string: "NSKeyedArchiver")),
            ("$top", top), ("$objects", table.add(.array(objects))),
        ]
        table.top = table.add(.dictionary(keys: entries.map { table.add(string: $0.0) }, values: entries.map(\.1)))
        return table
    }

    private func classObject(_ table: inout ObjectTable) -> Int {
        let name = table.add(string: className)
        let classes = table.add(.array([name, table.add(string: "NSObject")]))
        let keys = [table.add(string: "$classname"), table.add(string: "$classes")]
        return table.add(.dictionary(keys: keys, values: [name, classes]))
    }
}
