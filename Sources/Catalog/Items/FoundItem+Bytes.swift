import Containers
import LinuxFiles
import Predicates

// An item as a drive tells it to another program: docs/COORDINATION.md.
extension FoundItem {
    /// Fields that are not there have the length 0xFFFFFFFF. A kind that is shipped is the number that the protocol gives it for good (`FoundItemTests`).
    /// Any other one is told by its name, which comes last then.
    public func bytes(called shown: Name, in folder: [Name]) -> [UInt8] {
        let named = item.kind.document.map { KindRegistry.basic.all.contains($0) ? nil : $0.name } ?? item.kind.package?.name
        var bytes: [UInt8] = [UInt8(clamping: scope.rawValue), named == nil ? UInt8(clamping: item.kind.code) : Self.namedKind, item.isHidden ? 1 : 0]
        func add(_ number: Int64) { for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) } }
        func add(_ text: [UInt8]?) {
            let count = text.map { UInt32(clamping: $0.count) } ?? .max
            for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: count >> shift)) }
            bytes += text ?? []
        }
        add(item.size)
        add(item.changed.nanoseconds)
        add(item.created?.nanoseconds ?? .min)
        for text in [Self.joined(folder), item.stored.bytes, shown.bytes, item.url, item.title, item.fault.map { Array($0.utf8) }] { add(text) }
        if let named { add(Array(named.utf8)) }
        return bytes
    }

    private static let namedKind = UInt8.max

    /// A kind that only the drive knows is a plain file here.
    public init?(bytes: ArraySlice<UInt8>, _ kinds: KindRegistry) {
        var rest = bytes
        func byte() -> UInt8? { rest.popFirst() }
        func number(_ width: Int) -> UInt64? {
            guard rest.count >= width else { return nil }
            defer { rest = rest.dropFirst(width) }
            return rest.prefix(width).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        func text() -> [UInt8]?? {
            guard let count = number(4) else { return nil }
            if count == UInt64(UInt32.max) { return .some(nil) }
            guard let count = Int(exactly: count), rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        guard let scope = byte().flatMap({ CatalogScope(rawValue: Int64($0)) }), let code = byte(), let hidden = byte(),
            let size = number(8), let changed = number(8), let created = number(8), let folder = text() ?? nil, let stored = (text() ?? nil).flatMap({ Name($0) }),
            let shown = (text() ?? nil).flatMap({ Name($0) }), let url = text(), let title = text(), let fault = text(), let named = code == Self.namedKind ? text() : .some(nil), rest.isEmpty
        else { return nil }
        let name = named.map { String(decoding: $0, as: UTF8.self) }
        let own = name.flatMap(kinds.named), package = name.flatMap { name in kinds.folderPackages.first { $0.name == name } }
        let known = own.map { ItemKind($0) } ?? package.map { ItemKind(nil, package: $0) }
        let kind = known ?? ItemKind(code: Int64(code), .basic) ?? .plain
        let names = folder.split(separator: UInt8(ascii: "/")).compactMap { Name($0) }, born = Int64(bitPattern: created)
        let item = CatalogItem(
            id: 0, folder: 0, stored: stored, shown: shown, kind: kind, isHidden: hidden != 0, size: Int64(bitPattern: size),
            changed: Moment(nanoseconds: Int64(bitPattern: changed)), created: born == .min ? nil : Moment(nanoseconds: born), url: url, title: title,
            fault: fault.map { String(decoding: $0, as: UTF8.self) }, stamp: 0, isNumbered: false)
        self.init(item: item, scope: scope, folder: names)
    }
}
