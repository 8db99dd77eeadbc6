import LinuxFiles

/// `._Cat.png`: the file in which a Mac keeps what it knows of `Cat.png`, where a store has no place for it (AppleDouble). It lies beside its file, and goes
/// where that goes.
public enum BesideName {
    public static func of(_ name: Name) -> Name? { Hidden.isBesideFile(name) ? nil : Name([0x2E, 0x5F] + name.bytes) }

    /// Beside a document there may be two: a Mac that has the container's folder calls it after the item, and one that has the drive as it is shown.
    public static func all(shown: Name, stored: Name) -> [Name] { (shown == stored ? [shown] : [shown, stored]).compactMap(of) }
}
