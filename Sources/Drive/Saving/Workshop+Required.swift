import Containers
import LinuxFiles

// Drives that are read-only have no workshop.
extension Workshop? {
    /// The one writer of the container, or the errno for a drive that does not write.
    func required() throws(Errno) -> Workshop {
        guard let self else { throw .readOnly }
        return self
    }

    /// The same for who saves.
    func required(orFault: Void) throws(SaveFault) -> Workshop {
        guard let self else { throw .failed(.readOnly) }
        return self
    }
}
