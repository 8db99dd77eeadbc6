import LinuxFiles

/// What another computer's content takes the place of. A program may write to it until the last instant, after it was
/// looked at and before it was replaced: what it wrote is in the version then, and nobody has seen it.
struct ReplacedContent {
    private let files: [(file: OpenFile, then: BaseStamp)]
    /// Of a package of an app's own, all of it.
    private let package: BaseStamp?

    /// Before the item's state is compared: its files, or, of a package of an app's own, its folder.
    init(_ files: [OpenFile], package: OpenFile?) throws(Errno) {
        var opened: [(file: OpenFile, then: BaseStamp)] = []
        for file in files { opened.append((file, BaseStamp(try file.descriptor.status()))) }
        self.files = opened
        self.package = try package.map { (package) throws(Errno) in try PackageStamp(package).stamp }
    }

    /// After it was replaced. `version`: what it is now among the versions of its item.
    func hasChanged(_ version: (name: Name, folder: OpenFile)?) throws(Errno) -> Bool {
        for (file, then) in files { if try BaseStamp(file.descriptor.status()) != then { return true } }
        guard let package, let version else { return false }
        return try PackageStamp(OpenFile(version.folder.descriptor.open(version.name, [.path, .folder]))).stamp
            != package
    }
}
