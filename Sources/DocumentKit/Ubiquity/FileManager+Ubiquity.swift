import Foundation

// What an app asks about its container. On Linux a container is a folder, and which one is said in a file.
extension FileManager {
    /// The folder of a container: of the identifier's, or of the app's own for nil.
    ///
    /// `$VALISE_CONTAINER` is the app's container, by whatever identifier it asks. Without it, containers are in
    /// `$XDG_CONFIG_HOME/valise/containers` (the app's own is the first line): lines `identifier = folder`, in which `TEAM~com~example~App` and
    /// `TEAM.com.example.App` are the same. A drive that is named there is the container that it shows: an app keeps its documents
    /// there, in its own form. It does not block, and asks nobody but such a drive, once.
    ///
    /// ```swift
    /// guard let container = FileManager.default.url(forUbiquityContainerIdentifier: nil) else { return useLocalCopy() }
    /// let documents = container.appendingPathComponent("Documents")
    /// ```
    /// - Returns: nil where there is none.
    public func url(forUbiquityContainerIdentifier containerIdentifier: String?) -> URL? { ContainerNames().folder(of: containerIdentifier) }

    /// Why a container that is named cannot be used, as a sentence: nothing is there, say, or it is a folder on a drive.
    ///
    /// ```swift
    /// if let fault = FileManager.default.ubiquityContainerFault(forIdentifier: nil) { warn(fault) }
    /// ```
    /// - Returns: nil where it can be used; and without an identifier also where none is named, for then an app uses its local copy.
    public func ubiquityContainerFault(forIdentifier containerIdentifier: String?) -> String? { ContainerNames().fault(of: containerIdentifier) }

    /// Stands for who the containers belong to: equal as long as the app's own container is the same; nil without one. Once it was asked for,
    /// `.NSUbiquityIdentityDidChange` tells when it changes.
    ///
    /// ```swift
    /// if FileManager.default.ubiquityIdentityToken == nil { useLocalCopy() }
    /// ```
    public var ubiquityIdentityToken: (any NSCoding & NSCopying & NSObjectProtocol)? {
        UbiquityIdentity.follow()
        return UbiquityIdentity.current.map { NSData(data: Data($0.utf8)) }
    }

    /// Whether something lies in a container that is named, or would lie there.
    ///
    /// ```swift
    /// if FileManager.default.isUbiquitousItem(at: url) { … }
    /// ```
    public func isUbiquitousItem(at url: URL) -> Bool {
        guard url.isFileURL else { return false }
        let parts = Self.realComponents(url)
        return ContainerNames().folders.contains { container in
            let outer = Self.realComponents(container)
            return parts.count > outer.count && parts.starts(with: outer)
        }
    }

    /// Links above it are followed; the item itself may be one, or not be there.
    static func realComponents(_ url: URL) -> [String] {
        let url = url.standardizedFileURL
        return url.deletingLastPathComponent().resolvingSymlinksInPath().appendingPathComponent(url.lastPathComponent).pathComponents
    }
}
