import Containers
import Documents
import LinuxFiles
import PropertyLists

// What a copy lacks that was made of a Mac's folder, or by a sync tool: contents that were never downloaded, and names that were lost on the way.
extension ContainerCheck {
    mutating func look(at copied: CopiedFolder, in folder: borrowing Descriptor, _ path: [Name]) {
        for remark in copied.all(reader.kinds.isPackage) {
            switch remark {
            case .stub(let name): lookAtStub(name, in: folder, path)
            case .beside(let name):
                add(.appleDouble, path + [name], "it has what a Mac keeps of another file where the store has no place for it; it is no document")
            case .copy(let name, let original):
                add(.copiedPackage, path + [name], "a sync tool made it of “\(original)”, which had been changed on both sides; each may have parts that the other one lacks")
            case .alike(let name, let other, let isSpelling):
                let difference = isSpelling ? "is spelled with other characters (Unicode)" : "differs in capital letters only"
                add(.alikeNames, path + [name], "“\(other)” is beside it and \(difference); a Mac has room for one of them")
            case .numbered(let name): lookAtFormerName(name, in: folder, path)
            }
        }
    }

    private mutating func lookAtStub(_ name: Name, in folder: borrowing Descriptor, _ path: [Name]) {
        guard let file = try? folder.openUntraced(name, [.read, .nonBlocking]), let status = try? file.status(), status.type == .regular,
            status.size <= CloudStub.mostBytes, let bytes = try? file.readAll(limit: Int(CloudStub.mostBytes), status),
            let stub = CloudStub(named: name.bytes, Bytes(bytes)), let missing = Name(stub.name)
        else { return }
        let size = stub.byteCount.map { "\($0) bytes" }
        let what = stub.isPackage ? ["a package", size].compactMap { $0 }.joined(separator: " of ") : size ?? "a file"
        add(.notDownloaded, path + [missing], "its content is not in this copy (\(what)): the Mac had not downloaded it from iCloud")
    }

    /// A file whose size is there, and of whose content no byte. Whether it is one; then it is read as nothing else.
    mutating func lookAtContent(of name: Name, in folder: borrowing Descriptor, _ place: [Name]) -> Bool {
        guard let status = try? folder.status(of: name), status.type == .regular, status.size > 0, status.blocks == 0,
            let file = try? folder.openUntraced(name, [.read, .nonBlocking]), (try? file.hasContent()) == false
        else { return false }
        add(.notDownloaded, place, "it has a size (\(status.size) bytes) and no content: it was not downloaded, or was copied without its content")
        return true
    }

    /// As macOS calls the attribute, and as stores of Linux do.
    private static let formerNames = ["user.com.apple.fileprovider.before-bounce#PX", "com.apple.fileprovider.before-bounce#PX"].map { Array($0.utf8) }

    private mutating func lookAtFormerName(_ name: Name, in folder: borrowing Descriptor, _ path: [Name]) {
        guard let names = try? folder.extendedAttributeNames(of: name), let attribute = Self.formerNames.first(where: names.contains),
            let value = try? folder.open(name, .path).extendedAttribute(attribute), let former = Name(value), former != name
        else { return }
        add(.formerName, path + [name], "it was “\(former)” until a Mac gave it this name, because another one was called alike")
    }

    /// iCloud Drive's own folder. Those of apps lie beside it on a Mac.
    mutating func lookAtNeighbours() {
        guard let end = path.lastIndex(of: "/"), let name = Name(String(path[path.index(after: end)...])), AppIdentifier(folder: name) == .drive,
            let above = try? Descriptor.atPath(String(path[...end]), [.read, .folder]), let names = try? Container.names(in: above),
            !names.contains(where: { AppIdentifier(folder: $0).map { $0 != .drive } ?? false })
        else { return }
        add(.missingApps, [], "this is iCloud Drive's own folder, and the folders of apps (iCloud~com~…) are not beside it, as they are on a Mac")
    }
}
