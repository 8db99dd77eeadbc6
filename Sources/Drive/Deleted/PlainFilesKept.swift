import Containers
import LinuxFiles

/// Plain files that are kept when their names go: those with something in them, and no other name.
final class PlainFilesKept: Sendable {
    private let tree: TreeTable
    private let workshop: Workshop?
    private let passing: PassingFiles
    private let options: DriveOptions

    init(tree: TreeTable, workshop: Workshop?, passing: PassingFiles, options: DriveOptions) {
        (self.tree, self.workshop, self.passing, self.options) = (tree, workshop, passing, options)
    }

    /// Takes a plain file away and keeps it. False where it is not to be kept: then nothing was done.
    func takeAway(_ id: NodeNumber, _ stored: Name, from address: Address, by caller: Caller) throws(Errno) -> Bool {
        guard isKept(stored, in: address.folder, called: address.shown, by: caller), let workshop else { return false }
        guard try workshop.takeAway(plain: stored, from: address) else { return false }
        noteHeld(id)
        return true
    }

    /// Runs what takes a plain file's name away, where others decide whether it may go. It has one more name until that is known, by
    /// which it is kept.
    func keeping(
        _ id: NodeNumber?, _ stored: Name?, in address: Address, by caller: Caller, _ body: () throws(Errno) -> Void
    ) throws(Errno) {
        guard let id, let stored, isKept(stored, in: address.folder, called: address.shown, by: caller),
            let held = try workshop?.hold(plain: stored, in: address)
        else { return try body() }
        do throws(Errno) { try body() } catch {
            try? workshop?.purge(held)
            throw error
        }
        noteHeld(id)
    }

    /// Whoever has it open sees that its name is gone, though it has another one where it is kept.
    private func noteHeld(_ id: NodeNumber) { tree.withLock { if $0.contains(id) { $0[id].flags.insert(.kept) } } }

    private func isKept(_ stored: Name, in folder: OpenFile, called shown: Name, by caller: Caller) -> Bool {
        guard options.keepsDeleted, let status = try? folder.descriptor.status(of: stored) else { return false }
        guard status.type == .regular, status.links == 1, status.size > 0 else { return false }
        return !passing.isPassing(status.identity.number, called: shown, by: caller)
    }
}
