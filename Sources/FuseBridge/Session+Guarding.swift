import LinuxFiles

extension Session {
    /// Sees to it that the drive's requests end when this process is killed. The kernel ends them when the device is closed;
    /// but a thread that is telling a notice may wait for a folder or a page that a request holds, whose answer will never come,
    /// and the device stays open for as long as it waits. Nil where the kernel's switches for that cannot be reached; `number` is
    /// that of its process.
    func makeGuardian(_ number: inout Int32?) -> Guardian? {
        guard let file = mounted.map({ $0() }) ?? ownSwitch(), let guardian = Guardian(writingTo: file.descriptor) else { return nil }
        number = guardian.process
        return guardian
    }

    private func ownSwitch() -> OpenFile? {
        guard let connection = try? Descriptor.atPath(mountpoint, [.path, .folder]).device().minor else { return nil }
        return Switchboard.abortFile(of: connection)
    }
}
