import DocumentKit
import Foundation

/// `DocumentTrial identity`: says which container is the app's own, and again each time that it is told that this is another one, until
/// it is ended.
enum Identity {
    static func follow() -> Never {
        @Sendable func say() {
            let folder = FileManager.default.ubiquityIdentityToken == nil ? "none" : FileManager.default.url(forUbiquityContainerIdentifier: nil)?.lastPathComponent ?? "none"
            FileHandle.standardOutput.write(Data((folder + "\n").utf8))
        }
        _ = NotificationCenter.default.addObserver(forName: .NSUbiquityIdentityDidChange, object: nil, queue: .main) { _ in say() }
        say()
        dispatchMain()
    }
}
