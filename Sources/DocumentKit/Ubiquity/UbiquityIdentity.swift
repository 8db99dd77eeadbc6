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
        while let notices = try? ChangeNotices() {
            let names = watch(notices)
            let now = current
            if now != last {
                last = now
                // As an operation: an observer on the main queue would have to wait for itself otherwise.
                OperationQueue.main.addOperation { NotificationCenter.default.post(name: .NSUbiquityIdentityDidChange, object: nil) }
            }
            repeat { notices.wait(milliseconds: nil) } while !notices.take().contains { $0.name.map(names.contains) ?? true }
        }
    }

    /// Where something may come or go that decides it: beside the file and the folder, or beside the nearest folder above that is there.
    private static func watch(_ notices: ChangeNotices) -> Set<Name> {
        var names: Set<Name> = []
        for place in ContainerNames().deciding {
            var url = URL(fileURLWithPath: place).standardizedFileURL
            while url.path != "/" {
                let folder = url.deletingLastPathComponent()
                if let name = Name(url.lastPathComponent) { names.insert(name) }
                if let opened = try? Descriptor.atPath(folder.path, [.read, .folder]), (try? notices.watch(opened)) != nil { break }
                url = folder
            }
        }
        return names
    }
}
