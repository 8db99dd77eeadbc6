import LinuxFiles

/// Where and since when a drive is mounted, what its process gave up, and what it agreed on with the kernel.
final class MountFacts: Sendable {
    let since = Timestamp.now
    private let mountpoint = SetOnce<String>(), logFile = SetOnce<String>(), sandboxState = SetOnce<SandboxState>()
    private let means = SetOnce<KernelMeans>(), number = SetOnce<DeviceNumber>()

    var path: String { mountpoint.value ?? "" }
    func setPath(_ path: String) { mountpoint.set(path) }

    /// The drive's own number, as the kernel names file systems. Its top is open no longer than that takes, for it keeps the drive in use.
    var device: DeviceNumber? {
        if let known = number.value { return known }
        guard let top = try? Descriptor.atPath(path, [.path, .folder]), let device = try? top.device() else { return nil }
        number.set(device)
        return device
    }

    /// The file that its messages go to.
    var log: String? { logFile.value }
    func setLog(_ path: String) { logFile.set(path) }

    var sandbox: SandboxState { sandboxState.value ?? .none }
    func setSandbox(_ state: SandboxState) { sandboxState.set(state) }

    /// nil before the kernel has greeted the drive.
    var kernelMeans: KernelMeans? { means.value }
    func setKernelMeans(_ agreed: KernelMeans) { means.set(agreed) }
}

/// What keeps the process that serves a drive from doing anything else.
public enum SandboxState: Sendable {
    case none
    /// System calls and capabilities; and files, where the kernel has the means.
    case sealed(files: Bool)
}
