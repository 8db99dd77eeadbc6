import AppSupport
import DocumentKit
import Foundation

/// A row of the list: all that is shown without reading a picture.
public struct Entry: Sendable, Comparable, Identifiable {
    /// Not its URL: one and the same package has several, with and without a slash at the end.
    public let id: String
    public let title: String
    /// When it was changed: of its current version.
    public let changed: Date
    /// Another one for another picture and for another thumbnail.
    public let size: Int64
    /// A small PNG, where it was read.
    public var thumbnail: Data?
    public var isInConflict = false
    /// Why it cannot be read.
    public var fault: String?
    public var fileURL: URL { URL(fileURLWithPath: id, isDirectory: true) }

    public init(fileURL: URL, metadata: PhotoMetadata?, version: NSFileVersion?) {
        self.init(path: fileURL.path, changed: version?.modificationDate, size: 0)
        thumbnail = metadata?.image?.data
    }

    /// Nothing of it is read.
    init(_ found: LiveQuery.Found) {
        self.init(path: found.path, changed: found.changed, size: found.size)
        isInConflict = found.isInConflict
    }

    private init(path: String, changed: Date?, size: Int64) {
        (id, self.changed, self.size) = (path, changed ?? .distantPast, size)
        title = FileTitle.of(path)
    }

    /// The newest are shown first.
    public static func < (one: Entry, other: Entry) -> Bool { one.changed == other.changed ? other.id < one.id : one.changed < other.changed }
}

/// PhotoKeeper: its list, found by a query that goes on, and what a person does with it.
@MainActor
public final class PhotoList {
    public let container: AppContainer
    /// The entries, and who hears of their changes.
    public let live: LiveRows<Entry>
    private let deleted: RecentlyDeleted
    /// Makes a small PNG of a picture; none where that cannot be.
    private let thumbnail: @Sendable (Data) -> Data?

    /// `withFolders`: also what lies in folders, which the app on a phone does not look into. `readsThumbnails`: not for who asks for the thumbnails of those
    /// that somebody looks at.
    public init(withFolders: Bool = false, readsThumbnails: Bool = true, thumbnail: @escaping @Sendable (Data) -> Data?) throws {
        PhotoData.prepare()
        let container = try AppContainer()
        (self.container, self.thumbnail) = (container, thumbnail)
        deleted = RecentlyDeleted(container, app: "PhotoKeeper")
        // The extension exactly, as the app on a phone has it.
        let isOurs: @Sendable (LiveQuery.Found) -> Bool = { found in
            found.path.hasSuffix("." + .appExtension) && (withFolders || !container.path(of: found.path).contains("/"))
        }
        live = LiveRows(NSPredicate(format: "%K LIKE %@", NSMetadataItemFSNameKey, "*." + .appExtension), in: { $0 > $1 }, quick: { found in
            !readsThumbnails && isOurs(found) ? Entry(found) : nil
        }, read: { found in isOurs(found) ? await Self.entry(found) : nil })
    }

    private static func entry(_ found: LiveQuery.Found) async -> Entry {
        let version = NSFileVersion.currentVersionOfItem(at: found.url)
        var entry: Entry
        do { entry = Entry(fileURL: found.url, metadata: try await Document(fileURL: found.url).whileOpen { try $0.metadata() }, version: version) } catch {
            entry = Entry(fileURL: found.url, metadata: nil, version: version)
            entry.fault = AppFault.sentence(of: error)
        }
        entry.isInConflict = found.isInConflict
        return entry
    }

    /// Of one that somebody looks at.
    public func thumbnail(of url: URL) async throws -> Data? { try await Document(fileURL: url).whileOpen { try $0.metadata()?.image?.data } }

    // MARK: What a person does

    /// A photo of each file: `Photo`, `Photo 1`, and so on, the first name that is free.
    public func add(_ file: URL) async throws -> URL {
        try container.requireThere()
        let photo = try await read(file)
        while true {
            let url = RecentlyDeleted.freeName(beside: container.documents.appendingPathComponent("Photo").appendingPathExtension(.appExtension))
            let document = Document(fileURL: url)
            document.setPhoto(photo)
            if try await document.createUnlessThere() { return url }
        }
    }

    /// Another picture in a photo's place. Its name stays, and what it was is a version.
    public func replace(_ url: URL, with file: URL) async throws {
        let photo = try await read(file)
        try await Document(fileURL: url).whileOpen { document in
            document.setPhoto(photo)
            try await document.saveOrThrow()
        }
    }

    /// What is no picture becomes no photo, and replaces none.
    private func read(_ file: URL) async throws -> PhotoEntry {
        try await Coordinated.run { [thumbnail] in
            guard let picture = Picture(data: try Data(contentsOf: file)) else { throw AppFault("“\(file.lastPathComponent)” is no picture.") }
            return PhotoEntry(mainImage: picture, thumbnailImage: thumbnail(picture.data).flatMap(Picture.init))
        }
    }

    public func picture(of url: URL) async throws -> Data {
        guard let photo = try await Document(fileURL: url).whileOpen({ try $0.photo() }) else { throw AppFault("It has no picture.") }
        return photo.mainImage.data
    }

    /// Only its name is another one; whoever has it open goes on with it.
    @discardableResult
    public func rename(_ url: URL, to title: String) async throws -> URL { try await FileTitle.rename(url, to: title, of: "a photo") }

    @discardableResult
    public func delete(_ url: URL) async throws -> RecentlyDeleted.Item { try await deleted.put(url) }

    public func undoDeleting(_ item: RecentlyDeleted.Item) async throws -> URL { try await deleted.bringBack(item) }

    /// Brings back what was deleted last.
    public func undoDeleting() async throws -> URL { try await deleted.bringBackLast("photokeeper") }

    // MARK: Versions and conflicts

    public struct Side: Sendable {
        /// 0 is what the photo is.
        public let number: Int
        public let picture: Data, thumbnail: Data?
        public let date: Date?, computer: String?
    }

    /// What the photo is, and what it was, the newest first.
    public func versions(of url: URL) throws -> [Side] {
        guard let current = NSFileVersion.currentVersionOfItem(at: url) else { return [] }
        return try sides([current] + Self.earlier(url))
    }

    private nonisolated static func earlier(_ url: URL) -> [NSFileVersion] {
        let versions = NSFileVersion.otherVersionsOfItem(at: url) ?? []
        return versions.filter { !$0.isConflict || $0.isResolved }.sorted { ($0.modificationDate ?? .distantPast) > ($1.modificationDate ?? .distantPast) }
    }

    /// The photo becomes what it was; what it is now is a version then.
    public func restore(_ url: URL, version number: Int) async throws {
        try await Coordinated.run {
            let earlier = Self.earlier(url)
            guard (1...max(1, earlier.count)).contains(number), !earlier.isEmpty else { throw AppFault("There is no version \(number).") }
            try earlier[number - 1].replaceItem(at: url)
        }
    }

    public func conflict(of url: URL) throws -> [Side] { try sides(Conflict.versions(of: url)) }
    public func resolve(_ url: URL, with number: Int) async throws { try await Conflict.resolve(url, with: number) }

    private func sides(_ versions: [NSFileVersion]) throws -> [Side] {
        try versions.enumerated().map { number, version in
            let document = Document(fileURL: version.url)
            try document.load(fromContents: try FileWrapper(url: version.url, options: .immediate), ofType: nil)
            let photo = try document.photo()
            return Side(
                number: number, picture: photo?.mainImage.data ?? Data(), thumbnail: photo?.thumbnailImage?.data, date: version.modificationDate,
                computer: version.localizedNameOfSavingComputer)
        }
    }
}
