import Checking
import Containers
import KeyValueStore
import LinuxFiles

extension ContainerCheck {
    /// The key-value store is another layer's than the documents, and looked at beside them.
    mutating func lookAtSettings(of container: Container) {
        do throws(Failure) { if let damage = try KeyValueFile(of: container).damage() { addDamagedSettings(damage) } } catch {
            addDamagedSettings(error.sentence, cause: error.errno)
        }
    }
}
