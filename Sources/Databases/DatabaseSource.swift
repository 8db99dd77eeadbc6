import CSQLite

/// Bytes that are a database, wherever they come from: a file, or one that is decrypted where it is read.
package protocol DatabaseSource: AnyObject, Sendable {
    var byteCount: Int64 { get }

    /// Fills the whole buffer with the bytes from `offset` on; false where it cannot.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Bool
}

/// A source while SQLite has it open.
@safe final class OpenedSource {
    private let source: any DatabaseSource
    private var system: OpaquePointer?

    init(_ source: any DatabaseSource) { self.source = source }

    // SAFETY: the connection is closed by now, and nothing else knows it.
    deinit { unsafe CSQLite_free_system(system) }

    func open(_ connection: inout OpaquePointer?) -> Int32 {
        // SAFETY: the context is this object, which outlives the connection; the buffer has as many bytes as SQLite
        // says.
        let source = unsafe CSQLite_Source(size: source.byteCount, context: Unmanaged.passUnretained(self).toOpaque()) {
            context, bytes, count, offset in
            guard let context = unsafe context, let bytes = unsafe bytes, count >= 0 else { return 1 }
            let opened = unsafe Unmanaged<OpenedSource>.fromOpaque(context).takeUnretainedValue()
            return unsafe opened.source.read(
                into: UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)), at: offset) ? 0 : 1
        }
        return unsafe CSQLite_open_source(source, &connection, &system)
    }
}
