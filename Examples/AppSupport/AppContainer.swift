import DocumentKit
import Foundation

/// The app's container, and where its documents are.
public struct AppContainer: Sendable {
    public let folder: URL
    /// Where the documents are: `Documents`, or the container itself where documents lie in that.
    public let documents: URL
    /// Its path, with a slash: what is asked of very many is known.
    private let top: String

    /// The first thing that an app asks. There may be none, and then its documents are off.
    public init() throws {
        if let fault = Self.fault { throw AppFault(fault) }
        guard let folder = FileManager.default.url(forUbiquityContainerIdentifier: nil) else { throw AppFault(Self.advice) }
        self.folder = folder
        documents = try Self.documents(of: folder)
        top = documents.path + "/"
    }

    private static func documents(of folder: URL) throws -> URL {
        let documents = folder.appendingPathComponent("Documents", isDirectory: true)
        guard !FileManager.default.fileExists(atPath: documents.path) else { return documents }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        guard !names.contains(where: { !$0.hasPrefix(".") }) else { return folder }
        // Nobody has put anything into it yet.
        try FileManager.default.createDirectory(at: documents, withIntermediateDirectories: true)
        return documents
    }

    /// Before something new is put there: where the container was a drive that is unmounted now, its folder is still there, and the next drive would hide it.
    public func requireThere() throws {
        let manager = FileManager.default
        guard !manager.fileExists(atPath: folder.appendingPathComponent(".valise").path) else { return }
        guard let names = try? manager.contentsOfDirectory(atPath: folder.path) else { throw AppFault("The container “\(folder.path)” is not there any more.") }
        guard !names.isEmpty else { throw AppFault("“\(folder.path)” is empty: where a drive was there, mount it again.") }
    }

    /// What is named and is no container; nil where nothing is named, and where all is well.
    public static var fault: String? {
        let isVariable = ProcessInfo.processInfo.environment["VALISE_CONTAINER"].map { !$0.isEmpty } ?? false
        return reason.map { (isVariable ? "VALISE_CONTAINER" : "The first line of ~/.config/valise/containers") + " names no container: " + $0 }
    }

    private static var reason: String? {
        if let fault = FileManager.default.ubiquityContainerFault(forIdentifier: nil) { return fault }
        // Where a drive was, say: what is put there is hidden by the next one.
        guard let folder = FileManager.default.url(forUbiquityContainerIdentifier: nil),
            (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.isEmpty == true else { return nil }
        return "“\(folder.path)” is empty. “valise init” makes a container of it; where a drive was to be there, mount that first."
    }

    static let advice = """
        There is no container for the app's documents. Make one and name it: “valise init FOLDER”, and then \
        “export VALISE_CONTAINER=FOLDER”, or a line “APP = FOLDER” in ~/.config/valise/containers.
        """

    /// Where something lies among the documents, for people.
    public func path(of url: URL) -> String { path(of: url.path) }

    public func path(of path: String) -> String {
        path.hasPrefix(top) ? String(path.dropFirst(top.count)) : path
    }
}

/// Why something is not done, and what to do about it.
public struct AppFault: Error, CustomStringConvertible, Equatable {
    public let description: String
    public init(_ sentence: String) { description = sentence }

    /// What went wrong, as one sentence: Foundation has an error's cause in its second line, if at all.
    public static func sentence(of error: any Error) -> String {
        if let fault = error as? AppFault { return fault.description }
        var sentence = "", next: NSError? = error as NSError
        var causes: [String] = []
        while let error = next {
            let said = error.domain == NSPOSIXErrorDomain ? String(cString: strerror(Int32(error.code))) : error.localizedFailureReason ?? error.localizedDescription
            if !causes.contains(said) { causes.append(said) }
            next = error.userInfo[NSUnderlyingErrorKey] as? NSError
        }
        sentence = causes.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }.joined(separator: ": ")
        return sentence + "."
    }
}
