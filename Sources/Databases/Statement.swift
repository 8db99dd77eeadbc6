import CSQLite

/// A value of a statement.
package enum SQLValue: Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])
}

/// A statement that was prepared.
@safe package final class Statement {
    private let pointer: OpaquePointer
    private unowned let database: Database

    init(_ pointer: OpaquePointer, of database: Database) {
        unsafe self.pointer = pointer
        self.database = database
    }

    // SAFETY: each statement has one owner, which nothing asks after this.
    deinit { unsafe sqlite3_finalize(pointer) }

    package func reset() {
        // SAFETY: the statement lives as long as this object; here and below.
        unsafe sqlite3_reset(pointer)
    }

    package func bind(_ values: [SQLValue]) throws(DatabaseFault) {
        for (index, value) in values.enumerated() {
            let place = Int32(clamping: index + 1)
            // SAFETY: texts are copied in the call.
            let result = switch value {
            case .null: unsafe sqlite3_bind_null(pointer, place)
            case .integer(let number): unsafe sqlite3_bind_int64(pointer, place, number)
            case .real(let number): unsafe sqlite3_bind_double(pointer, place, number)
            case .blob(let bytes): unsafe CSQLite_bind_blob(pointer, place, bytes, Int32(clamping: bytes.count))
            case .text(let bytes): unsafe CSQLite_bind_text(pointer, place, bytes, Int32(clamping: bytes.count))
            }
            guard result == SQLITE_OK else { throw database.fault(result) }
        }
    }

    /// The next row; false where there is none.
    package func step() throws(DatabaseFault) -> Bool {
        let result = unsafe sqlite3_step(pointer)
        switch result {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            let fault = database.fault(result)
            reset()
            throw fault
        }
    }

    package func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(pointer, column) == SQLITE_NULL }
    package func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(pointer, column) }

    package func text(_ column: Int32) -> [UInt8] {
        // SAFETY: the bytes live until the next step, and are copied here.
        guard let bytes = unsafe sqlite3_column_text(pointer, column) else { return [] }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(pointer, column))))
    }

    package func blob(_ column: Int32) -> [UInt8] {
        // SAFETY: the bytes live until the next step, and are copied here.
        guard let bytes = unsafe sqlite3_column_blob(pointer, column) else { return [] }
        return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(pointer, column))))
    }

    /// Adds a text to others; how long it is.
    package func append(_ column: Int32, to bytes: inout [UInt8]) -> Int {
        // SAFETY: the bytes live until the next step, and are copied here.
        guard let text = unsafe sqlite3_column_text(pointer, column) else { return 0 }
        let count = Int(unsafe sqlite3_column_bytes(pointer, column))
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: text, count: count))
        return count
    }

    /// How long a text or a blob is, before it is copied.
    package func count(_ column: Int32) -> Int { Int(unsafe sqlite3_column_bytes(pointer, column)) }

    package func optionalText(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : text(column) }
    package func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }
}
