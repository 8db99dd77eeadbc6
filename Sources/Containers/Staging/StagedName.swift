import LinuxFiles

// Each thing in staging is called after a number that nothing else has there, and after what it is: "12", "12.part0", "13.away".
extension Name {
    static func staged(_ number: UInt64, _ what: StaticString = "") -> Name { Name("\(number)\(what)") ?? Container.stagingName }

    /// Of what could not be removed, and is by the next thinning of versions.
    static let thinnedSuffix: StaticString = ".thinned"

    /// The number that a name in staging begins with.
    var stagedNumber: UInt64? { Journal.number(bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) }
}
