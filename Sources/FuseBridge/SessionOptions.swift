import LinuxFiles

/// How a drive is mounted.
public struct SessionOptions: Sendable {
    /// What `/proc/mounts` shows as the source, exactly as given.
    public var source: String
    public var readOnly: Bool
    /// It shows several containers, each in a folder of its own; the table of mounts says so.
    public var showsApps = false
    /// Options of the kernel or of libfuse, one each: "allow_other", "nosuid", "noatime".
    public var kernelOptions: [String]
    /// Access control lists are asked for: a request more for each file that `ls -l` lists.
    public var accessLists: Bool
    /// libfuse writes each request to standard error.
    public var debug: Bool
    /// How many requests may be waiting for a slow disk at the same time.
    public var threads: Int
    /// The mountpoint's path had no symbolic links when it was looked at, and is to have none still.
    public var isWithoutLinks = false
    /// Mounts, for a process that may not do it itself, and answers the kernel's device for the drive.
    public var mount: (@Sendable () throws(Errno) -> OpenFile)?
    /// Called once the kernel has been greeted, where `mount` was: the switch that ends the drive's requests.
    public var mounted: (@Sendable () -> OpenFile?)?
    /// Takes the drive off its mountpoint, for a process that may not do it itself.
    public var unmount: (@Sendable (_ lazily: Bool) -> UnmountOutcome)?

    public init(
        source: String, readOnly: Bool = false, kernelOptions: [String] = [], accessLists: Bool = false,
        debug: Bool = false, threads: Int = 16
    ) {
        self.source = source
        self.readOnly = readOnly
        self.kernelOptions = kernelOptions
        self.accessLists = accessLists
        self.debug = debug
        self.threads = threads
    }
}

extension SessionOptions {
    var subtype: String { showsApps ? "valise.apps" : "valise" }

    /// What libfuse is called with. The kernel checks permissions, always: the drive only says what they are.
    var arguments: [String] {
        var options = ["fsname=\(Self.escaped(source))", "subtype=\(subtype)", "default_permissions"]
        if readOnly { options.append("ro") }
        options += kernelOptions.filter { $0 != "default_permissions" && !(readOnly && $0 == "rw") }
        return ["valise"] + options.flatMap { ["-o", $0] } + (debug ? ["-d"] : [])
    }

    /// libfuse splits options at commas; a backslash keeps one.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            if character == "," || character == "\\" { result.unicodeScalars.append("\\") }
            result.unicodeScalars.append(character)
        }
        return result
    }
}
