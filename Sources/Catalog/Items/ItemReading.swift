import Containers
import Documents
import LinuxFiles
import Predicates

/// An item as it lies in its folder, read for the catalog.
struct ItemReading {
    let stored: Name
    let kind: ItemKind
    /// What a document is called if nothing else is.
    let natural: Name?
    /// What it is called if nothing else is, whatever it is.
    let shown: Name
    /// That is not what its item says, but what somebody gave it.
    let isKept: Bool
    let stamp: Int64
    let size: Int64
    let number: Int64
    let changed: Moment
    let created: Moment?
    let url: [UInt8]?
    let title: [UInt8]?
    let text: [UInt8]?
    let fault: String?
    let part: Int64?
    let start: Int64?

    enum Found {
        case item(ItemReading)
        /// A plain folder, which is looked into.
        case folder
    }

    /// So many bytes of a text are searched.
    static let longestText = 1 << 20

    /// nil for what is not there any more. In the data scope and in packages nothing is a document.
    static func read(
        _ name: Name, in folder: OpenFile, _ reader: ItemReader, asDocument: Bool, kept: Name?, readsTexts: Bool = false
    ) throws(Errno) -> Found? {
        guard let (stamp, status, made, _) = try ItemStamp.of(name, in: folder.descriptor, reader) else { return nil }
        if status.type == .folder, !asDocument || !reader.mayBePackage(name) { return .folder }
        let item: Item
        do throws(Errno) { item = try asDocument ? reader.read(name, was: status, in: folder.descriptor) : reader.readOriginal(name, in: folder.descriptor) } catch {
            guard error == .noSuchEntry else { throw error }
            return nil
        }
        guard item.document != nil || item.status.type != .folder else {
            guard reader.kinds.isOwnPackage(name), let package = try? folder.descriptor.open(name, [.path, .folder]), reader.kinds.isOwnPackage(name, package)
            else { return .folder }
            let parts = OpenFile(package), text = readsTexts ? PackageParts.text(in: parts, most: longestText) : nil
            let kind = ItemKind(nil, package: reader.kinds.folderPackage(called: name))
            let shown = asDocument ? name.composed : name
            return .item(ItemReading(name, shown, kind, status, PackageParts(in: parts), text: text, made: made, stamp: stamp.settled))
        }
        let shown = item.document?.name(kept: kept) ?? (asDocument ? name.composed : name)
        return .item(ItemReading(
            item, shown, number: status.identity.number, made: made, stamp: stamp.settled, in: folder, isKept: kept != nil, readsTexts: readsTexts))
    }

    private init(
        _ item: Item, _ shown: Name, number: UInt64, made: Timestamp?, stamp: Int64, in folder: OpenFile, isKept: Bool, readsTexts: Bool
    ) {
        let document = item.document
        stored = item.name
        kind = ItemKind(document?.kind)
        natural = document.map { _ in shown }
        self.shown = shown
        self.isKept = isKept
        self.stamp = stamp
        size = item.status.size
        self.number = Int64(bitPattern: number)
        changed = Moment(item.status.modified)
        created = made.map { Moment($0) }
        url = document?.reading.fact("URL").map { Array($0.utf8) }
        title = document?.reading.name
        fault = item.fault
        guard case .range(let part, let start, _)? = document?.reading.content else {
            (self.part, self.start) = (nil, nil)
            text = readsTexts && document?.kind.kind.flat != nil ? Self.textOfPackage(item.name, in: folder) : nil
            return
        }
        (self.part, self.start) = (Int64(part), start)
        text = readsTexts && document?.kind.kind.isText == true ? Self.text(of: item.name, document?.kind, in: folder) : nil
    }

    /// The texts in a package of which anything may be a part.
    private static func textOfPackage(_ name: Name, in folder: OpenFile) -> [UInt8]? {
        guard let package = try? folder.descriptor.open(name, [.path, .folder]) else { return nil }
        return PackageParts.text(in: OpenFile(package), most: longestText)
    }

    /// A package of an app's own, of which nothing is known but what a look says.
    private init(
        _ name: Name, _ shown: Name, _ kind: ItemKind, _ status: FileStatus, _ parts: PackageParts, text: [UInt8]?, made: Timestamp?, stamp: Int64
    ) {
        (stored, self.shown, self.kind, natural, isKept, self.stamp) = (name, shown, kind, nil, false, stamp)
        (size, number) = (parts.size, Int64(bitPattern: status.identity.number))
        (changed, created) = (Moment(parts.modified ?? status.modified), made.map { Moment($0) })
        (url, title, self.text, fault, part, start) = (nil, nil, text, nil, nil, nil)
    }

    /// The beginning of a text, up to the end of a character.
    static func text(of name: Name, _ kind: KindID? = nil, in folder: OpenFile, most: Int = longestText) -> [UInt8]? {
        if let kind, kind.isPackage {
            guard let package = try? OpenFile(folder.descriptor.open(name, [.path, .folder])), let home = try? kind.home(in: package),
                let part = (try? kind.contentName(in: home.descriptor)) ?? nil
            else { return nil }
            return text(of: part, in: home, most: most)
        }
        guard let file = try? folder.descriptor.openUntraced(name, [.read, .nonBlocking]), let status = try? file.status(), status.type == .regular,
            let bytes = try? file.read(at: 0, count: Int(clamping: min(max(status.size, 0), Int64(most))))
        else { return nil }
        guard bytes.count == most else { return bytes }
        let cut = bytes.lastIndex { $0 & 0xC0 != 0x80 } ?? bytes.endIndex
        return Array(bytes[..<cut])
    }
}

extension FoundItem {
    /// One item as it is now, without a search for it; nil where there is none. Its shown name is the one that it has alone.
    public static func reading(_ name: Name, in folder: [Name], _ scope: CatalogScope, of container: Container) -> FoundItem? {
        let top = scope == .documents ? container.documents : container.base
        let asDocument = scope == .documents && !container.kinds.isPackage(at: folder)
        guard let place = try? top.folder(at: folder),
            case .item(let reading)? = (try? ItemReading.read(name, in: place, container.reader, asDocument: asDocument, kept: nil)) ?? nil
        else { return nil }
        let item = CatalogItem(
            id: 0, folder: 0, stored: name, shown: reading.shown, kind: reading.kind, isHidden: reading.natural.map(Hidden.isBesideFile) ?? Hidden.hides(name), size: reading.size,
            changed: reading.changed, created: reading.created, url: reading.url, title: reading.title, fault: reading.fault, stamp: reading.stamp, isNumbered: false)
        return FoundItem(item: item, scope: scope, folder: folder)
    }

    /// As Apple's programs call what it holds.
    public var contentType: String { item.contentType }
}
