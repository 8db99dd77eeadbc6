import Foundation
import LinuxFiles

extension NSNotification.Name {
    /// The app's own container is another one, or there is none any more: `FileManager`'s `ubiquityIdentityToken` is another
    /// one. Posted on the main queue, from the first time on that somebody asks for the token.
    ///
    /// ```swift
    /// NotificationCenter.default.addObserver(forName: .NSUbiquityIdentityDidChange, object: nil, queue: .main) { _ in chooseStore() }
    /// ```
    public static let NSUbiquityIdentityDidChange = NSNotification.Name("NSUbiquityIdentityDidChangeNotification")
}

/// Whose container the app's own is, and who is told when that changes: the file that names it is another one, or the folder comes or goes.
enum UbiquityIdentity {
    static var current: String? { ContainerNames().folder(of: nil)?.resolvingSymlinksInPath().path }

    /// From now on changes are told.
    static func follow() { _ = following }

    private static let following: Void = {
        let first = current
        // For good: an app asks for it once, at its start.
        BackgroundThread.start { run(first) }
    }()

    private static func run(_ first: String?) {
        var last = first
        // A user may have no notices left: then it is looked at each second.
        let notices = try? ChangeNotices()
        while true {
            let watched = notices.flatMap(watch)
            let now = current
            if now != last {
                last = now
                // As an operation: an observer on the main queue would have to wait for itself otherwise.
                OperationQueue.main.addOperation { NotificationCenter.default.post(name: .NSUbiquityIdentityDidChange, object: nil) }
            }
            guard let notices, let watched else {
                sleep(1)
                continue
            }
            // What is named has changed while it was watched: that is to be watched, too.
            guard watched.places == ContainerNames().deciding else { continue }
            repeat { notices.wait(milliseconds: nil) } while !notices.take().contains { $0.name.map(watched.names.contains) ?? true }
        }
    }

    /// Where something may come or go that decides it: beside the file and the folder, or beside the nearest folder above that is
    /// there. nil where one could not be watched.
    private static func watch(_ notices: ChangeNotices) -> (places: [String], names: Set<Name>)? {
        let places = ContainerNames().deciding
        var names: Set<Name> = []
        for place in places {
            let entry = URL(fileURLWithPath: place).standardizedFileURL
            var url = entry
            while url.path != "/" {
                let folder = url.deletingLastPathComponent()
                if let name = Name(url.lastPathComponent) { names.insert(name) }
                if let opened = try? Descriptor.atPath(folder.path, [.read, .folder]) {
                    do throws(Errno) { _ = try notices.watch(opened) } catch { return nil }
                    // What was not there a moment ago may have come before the folder above was watched.
                    guard url != entry, (try? Descriptor.atPath(url.path, [.read, .folder])) != nil else { break }
                    url = entry
                } else {
                    url = folder
                }
            }
        }
        return (places, names)
    }
}
