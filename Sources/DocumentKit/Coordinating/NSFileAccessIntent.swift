import Foundation
import LinuxFiles

/// What is to be done with an item, for ``NSFileCoordinator/coordinate(with:queue:byAccessor:)``. As Foundation's class of this name.
///
/// ```swift
/// let intent = NSFileAccessIntent.writingIntent(with: url, options: .forReplacing)
/// coordinator.coordinate(with: [intent], queue: .main) { error in if error == nil { try? data.write(to: intent.url) } }
/// ```
open class NSFileAccessIntent: NSObject, @unchecked Sendable {
    // Sendable, because what changes is behind the lock.

    let wanted: WantedItem
    private let place: Latest<URL>

    private init(_ item: WantedItem) {
        wanted = item
        place = Latest(item.url)
        super.init()
    }

    /// To read an item.
    ///
    /// ```swift
    /// let intent = NSFileAccessIntent.readingIntent(with: url)
    /// ```
    open class func readingIntent(with url: URL, options: NSFileCoordinator.ReadingOptions = []) -> NSFileAccessIntent {
        NSFileAccessIntent(WantedItem(reading: url, options))
    }

    /// To write one.
    ///
    /// ```swift
    /// let intent = NSFileAccessIntent.writingIntent(with: url, options: .forDeleting)
    /// ```
    open class func writingIntent(with url: URL, options: NSFileCoordinator.WritingOptions = []) -> NSFileAccessIntent {
        NSFileAccessIntent(WantedItem(writing: url, options))
    }

    /// Where the item is: in the block, another place than asked for if it was moved while it was waited for.
    ///
    /// ```swift
    /// let data = try Data(contentsOf: intent.url)
    /// ```
    open var url: URL { place.value }

    func move(to url: URL) { place.set(url) }
}
