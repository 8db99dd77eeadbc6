import Foundation
import PropertyLists

/// A file wrapper as one binary property list: `contents` (data), `link` (text) or `children` (by name), and the names.
final class SerializedWrapper {
    enum Content {
        case file(Data)
        case link(String)
        case folder([(String, SerializedWrapper)])
    }

    let content: Content
    let preferredFilename: String?
    let filename: String?

    init?(_ wrapper: FileWrapper, depth: Int) {
        guard depth < FilePlace.deepest else { return nil }
        switch wrapper.content {
        case .file:
            guard let data = wrapper.regularFileContents else { return nil }
            content = .file(data)
        case .link(let target): content = .link(target)
        case .folder:
            guard let children = wrapper.fileWrappers else { return nil }
            var members: [(String, SerializedWrapper)] = []
            for (name, child) in children.sorted(by: { $0.key < $1.key }) {
                guard let member = SerializedWrapper(child, depth: depth + 1) else { return nil }
                members.append((name, member))
            }
            content = .folder(members)
        }
        preferredFilename = wrapper.preferredFilename
        filename = wrapper.filename
    }

    private init?(_ list: PropertyList) {
        if case .data(let bytes)? = list["contents"] {
            content = .file(Data(bytes))
        } else if case .string(let target)? = list["link"] {
            content = .link(target)
        } else if case .dictionary(let members)? = list["children"] {
            var children: [(String, SerializedWrapper)] = []
            for member in members {
                guard let child = SerializedWrapper(member.value) else { return nil }
                children.append((member.key, child))
            }
            content = .folder(children)
        } else { return nil }
        preferredFilename = list["preferredFilename"]?.text
        filename = list["filename"]?.text
    }

    private static func limits(_ size: Int) -> PropertyListLimits {
        var limits = PropertyListLimits.standard
        (limits.depth, limits.objectCount, limits.memory) = (2 * FilePlace.deepest + 2, 1 << 22, max(1 << 25, size.multipliedReportingOverflow(by: 4).partialValue))
        return limits
    }

    static func list(in data: Data) -> SerializedWrapper? {
        (try? PropertyList(reading: DataSource(data), limits: limits(data.count))).flatMap { SerializedWrapper($0) }
    }

    private var list: PropertyList {
        var members: [PropertyList.Member] = []
        switch content {
        case .file(let data): members.append(.init("contents", .data([UInt8](data))))
        case .link(let target): members.append(.init("link", .string(target)))
        case .folder(let children): members.append(.init("children", .dictionary(children.map { .init($0.0, $0.1.list) })))
        }
        if let preferredFilename { members.append(.init("preferredFilename", .string(preferredFilename))) }
        if let filename { members.append(.init("filename", .string(filename))) }
        return .dictionary(members)
    }

    var data: Data? { (try? list.binary()).map { Data($0) } }
}
