import CallFaults
import KeyValueStore
import LinuxFiles
import PropertyLists

/// A key is set in the key-value store of a container, as an app or `valise kvs` does it.
final class KeyValueTrial: TrialOperation {
    private let path: String, content: String
    private var file: KeyValueFile?

    /// `content`: what the key is set to.
    init(container: String, content: String) { (path, self.content) = (container, content) }

    let heldDescriptors = 0
    let written = 0

    func prepare() -> Int32 {
        do throws(Failure) {
            file = try KeyValueFile(container: path)
            return 0
        } catch { return error.errno.rawValue }
    }

    func run() -> Int32 {
        guard let file else { return 9999 }
        var fault: KeyValueFault?
        do throws(Failure) {
            try file.change { contents in
                do throws(KeyValueFault) { try contents.set("key", to: .string(content), at: 9, id: 1) } catch { fault = error }
            }
        } catch { return error.errno.rawValue }
        return fault == nil ? 0 : 9999
    }
}
