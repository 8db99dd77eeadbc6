import Glibc

/// OpenSSL's libcrypto, opened when an encrypted backup is: who has none needs neither its header nor the library.
@safe package final class Crypto: Sendable {
    package enum Hash: Sendable { case sha1, sha256 }

    // As its interface promises them to stay.
    private typealias NewContext = @convention(c) () -> OpaquePointer?
    private typealias FreeContext = @convention(c) (OpaquePointer?) -> Void
    private typealias Constant = @convention(c) () -> OpaquePointer?
    private typealias BeginDecrypting =
        @convention(c) (OpaquePointer?, OpaquePointer?, OpaquePointer?, UnsafeRawPointer?, UnsafeRawPointer?) -> Int32
    private typealias SetPadding = @convention(c) (OpaquePointer?, Int32) -> Int32
    private typealias Decrypt =
        @convention(c) (
            OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int32>?, UnsafeRawPointer?, Int32
        ) -> Int32
    private typealias Derive =
        @convention(c) (
            UnsafeRawPointer?, Int32, UnsafeRawPointer?, Int32, Int32, OpaquePointer?, Int32, UnsafeMutableRawPointer?
        ) -> Int32

    private let newContext: NewContext, freeContext: FreeContext
    private let beginDecrypting: BeginDecrypting, setPadding: SetPadding, decrypt: Decrypt
    private let derive: Derive
    // SAFETY: constants of the library, which is never closed.
    nonisolated(unsafe) private let cbc: OpaquePointer, ecb: OpaquePointer, sha1: OpaquePointer, sha256: OpaquePointer

    package static let blockSize = 16
    package static let keySize = 32

    /// The names of its versions, the newest first.
    static let names = ["libcrypto.so.3", "libcrypto.so.1.1", "libcrypto.so"]

    /// The library of this system; nil where there is none, or none that can do what is needed.
    package static let system = Crypto(names)

    package static let missing =
        "the backup is encrypted, and the library that decrypts it is missing (libcrypto, of OpenSSL); to install it: apt install libssl3"

    /// It stays open until the process ends.
    init?(_ names: [String]) {
        var library: UnsafeMutableRawPointer?
        for name in names {
            unsafe library = dlopen(name, RTLD_NOW | RTLD_LOCAL)
            if unsafe library != nil { break }
        }
        guard let opened = unsafe library else { return nil }
        func find<Call>(_ name: String, _: Call.Type) -> Call? {
            // SAFETY: the types are those that OpenSSL documents for these names.
            unsafe dlsym(opened, name).map { unsafe unsafeBitCast($0, to: Call.self) }
        }
        func constant(_ name: String) -> OpaquePointer? { unsafe find(name, Constant.self)?() }
        guard let newContext = unsafe find("EVP_CIPHER_CTX_new", NewContext.self),
            let freeContext = unsafe find("EVP_CIPHER_CTX_free", FreeContext.self),
            let beginDecrypting = unsafe find("EVP_DecryptInit_ex", BeginDecrypting.self),
            let setPadding = unsafe find("EVP_CIPHER_CTX_set_padding", SetPadding.self),
            let decrypt = unsafe find("EVP_DecryptUpdate", Decrypt.self),
            let derive = unsafe find("PKCS5_PBKDF2_HMAC", Derive.self), let cbc = unsafe constant("EVP_aes_256_cbc"),
            let ecb = unsafe constant("EVP_aes_256_ecb"), let sha1 = unsafe constant("EVP_sha1"),
            let sha256 = unsafe constant("EVP_sha256")
        else { return nil }
        unsafe (self.newContext, self.freeContext, self.beginDecrypting, self.setPadding) = (
            newContext, freeContext, beginDecrypting, setPadding
        )
        unsafe (self.decrypt, self.derive) = (decrypt, derive)
        unsafe (self.cbc, self.ecb, self.sha1, self.sha256) = (cbc, ecb, sha1, sha256)
    }

    /// Decrypts whole blocks where they lie, by AES-256-CBC. `before`: the 16 bytes of the block before them; zeros at
    /// the beginning.
    package func decryptCBC(_ bytes: UnsafeMutableRawBufferPointer, key: SecretBytes, before: UnsafeRawPointer) -> Bool
    {
        unsafe decrypt(bytes, cbc, key, before)
    }

    /// One block, by the cipher alone.
    func decryptBlock(_ block: UnsafeMutableRawBufferPointer, key: SecretBytes) -> Bool {
        unsafe decrypt(block, ecb, key, nil)
    }

    private func decrypt(
        _ bytes: UnsafeMutableRawBufferPointer, _ cipher: OpaquePointer, _ key: SecretBytes, _ before: UnsafeRawPointer?
    ) -> Bool {
        guard bytes.count % Self.blockSize == 0, key.count == Self.keySize, let context = unsafe newContext() else {
            return false
        }
        defer { unsafe freeContext(context) }
        return unsafe key.withBytes { key in
            guard unsafe beginDecrypting(context, cipher, nil, key.baseAddress, before) == 1,
                unsafe setPadding(context, 0) == 1
            else { return false }
            var done = 0
            while done < bytes.count {
                // Its counts are C's int. In and out may be the same place.
                let step = min(bytes.count - done, 1 << 30), place = unsafe bytes.baseAddress.map { unsafe $0 + done }
                var written: Int32 = 0
                guard unsafe decrypt(context, place, &written, place, Int32(truncatingIfNeeded: step)) == 1,
                    Int(written) == step
                else { return false }
                done += step
            }
            return true
        }
    }

    /// PBKDF2 (RFC 8018) with HMAC.
    func derived(from password: SecretBytes, salt: [UInt8], rounds: Int32, _ hash: Hash) -> SecretBytes? {
        unsafe SecretBytes(count: Self.keySize) { (key) in
            unsafe password.withBytes { password in
                unsafe derive(
                    password.baseAddress, Int32(clamping: password.count), salt, Int32(clamping: salt.count), rounds,
                    hash == .sha1 ? sha1 : sha256,
                    Int32(truncatingIfNeeded: key.count), key.baseAddress) == 1
            }
        }
    }
}
