import LinuxFiles

/// The keys of a backup's classes, after the password was right. They leave this process nowhere.
package final class BackupKeys: Sendable {
    let crypto: Crypto
    private let classes: [UInt32: SecretBytes]

    private init(_ crypto: Crypto, _ classes: [UInt32: SecretBytes]) { (self.crypto, self.classes) = (crypto, classes) }

    /// How long `derived` takes about, in seconds, by a small part of the same work.
    package static func estimate(_ keybag: Keybag.Derivation, _ crypto: Crypto) -> Double {
        let trial: Int32 = 50_000
        guard let secret = SecretBytes([0]) else { return 0 }
        func seconds(_ rounds: Int32, _ hash: Crypto.Hash) -> Double {
            let began = Monotonic.milliseconds
            _ = crypto.derived(from: secret, salt: [0], rounds: min(rounds, trial), hash)
            return Double(Monotonic.milliseconds - began) / 1000 * Double(rounds) / Double(min(rounds, trial))
        }
        return (keybag.first.map { seconds($0.rounds, .sha256) } ?? 0) + seconds(keybag.rounds, .sha1)
    }

    /// The key that is made of a password, whether that is right or not. Takes seconds.
    static func derived(_ keybag: Keybag, _ password: SecretBytes, _ crypto: Crypto) -> SecretBytes? {
        let derivation = keybag.derivation
        var secret = password
        if let first = derivation.first {
            guard let derived = crypto.derived(from: secret, salt: first.salt, rounds: first.rounds, .sha256) else {
                return nil
            }
            secret = derived
        }
        return crypto.derived(from: secret, salt: derivation.salt, rounds: derivation.rounds, .sha1)
    }

    /// nil where the key is another one.
    static func opened(_ keybag: Keybag, with key: SecretBytes, _ crypto: Crypto) -> BackupKeys? {
        var classes: [UInt32: SecretBytes] = [:]
        for locked in keybag.classes where locked.isByPassword && classes[locked.number] == nil {
            guard let unwrapped = KeyWrapping.unwrap(locked.wrapped, with: key, crypto) else { return nil }
            classes[locked.number] = unwrapped
        }
        return classes.isEmpty ? nil : BackupKeys(crypto, classes)
    }

    /// Processes that this one starts have none of them.
    package func stayHere() { for key in classes.values { key.staysHere() } }

    /// A file's own key. nil where its class has none here, or it was locked by another one.
    package func unwrap(_ wrapped: WrappedKey) -> SecretBytes? {
        guard let key = classes[wrapped.classNumber] else { return nil }
        return KeyWrapping.unwrap(wrapped.bytes, with: key, crypto)
    }
}

/// A file's own key as the manifest has it: a class, and the key locked by that class's.
package struct WrappedKey: Hashable, Sendable {
    package let classNumber: UInt32
    package let bytes: ArraySlice<UInt8>

    /// A class in four bytes, the lowest first, and 40 bytes. nil for anything else.
    package init?(_ data: ArraySlice<UInt8>) {
        guard data.count == 4 + KeyWrapping.wrappedSize else { return nil }
        classNumber = data.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
        bytes = data.dropFirst(4)
    }

    static let length = 4 + KeyWrapping.wrappedSize
    var data: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: classNumber >> UInt32(8 * $0)) } + bytes }
}
