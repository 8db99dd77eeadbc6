import CSQLite

/// A connection to an SQLite database. Whoever has it is alone with it: one thread, or one queue.
@safe package final class Database {
    private let connection: OpaquePointer
    private var statements: [String: Statement] = [:]
    /// How many pages the log has.
    private let logged: UnsafeMutablePointer<Int32>

    /// Asked while it works, whether to go on.
    private final class Work {
        let goesOn: () -> Bool
        init(_ goesOn: @escaping () -> Bool) { self.goesOn = goesOn }
    }
    private var work: Work?
    /// Where its bytes are read by this program.
    private var source: OpenedSource?

    /// So many milliseconds another connection, or another process, may keep it waiting.
    static let patience: Int32 = 2000

    /// A database file, which this process has alone, with all its connections; without a path, one in memory.
    package convenience init(path: String?) throws(DatabaseFault) {
        try unsafe self.init { (opened) in
            // SAFETY: the path is a C string through the call; the connection is closed in `deinit`, or below where it does not open.
            if let path { unsafe CSQLite_open(path, Self.patience, &opened) } else { unsafe CSQLite_open(nil, Self.patience, &opened) }
        }
    }

    /// One of another program, which is only read. No file may lie beside it, and nobody may change it meanwhile.
    package convenience init(unchanging path: [UInt8]) throws(DatabaseFault) {
        let digits = Array("0123456789ABCDEF".utf8)
        let escaped = path.flatMap { byte -> [UInt8] in
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || "/-._~".utf8.contains(byte)
            return isPlain ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        let uri = "file:" + String(decoding: escaped, as: UTF8.self) + "?immutable=1"
        // SAFETY: as above.
        try unsafe self.init { (opened) in unsafe CSQLite_open_unchanging(uri, &opened) }
    }

    /// One whose bytes this program reads, as they are. Nothing of it is ever written: SQLite has no other file then, not for a long sort either.
    package convenience init(reading source: any DatabaseSource) throws(DatabaseFault) {
        let source = OpenedSource(source)
        // SAFETY: this object keeps the source until the connection is closed.
        try unsafe self.init { (opened) in unsafe source.open(&opened) }
        self.source = source
    }

    private init(_ open: (inout OpaquePointer?) -> Int32) throws(DatabaseFault) {
        var opened: OpaquePointer?
        // SAFETY: the connection is closed in `deinit`, or here where it does not open.
        let result = unsafe open(&opened)
        guard result == SQLITE_OK, let connection = unsafe opened else {
            unsafe sqlite3_close_v2(opened)
            throw DatabaseFault(result, "cannot be opened")
        }
        unsafe self.connection = connection
        unsafe logged = .allocate(capacity: 1)
        unsafe logged.initialize(to: 0)
        // SAFETY: it is freed when the connection is closed.
        unsafe CSQLite_count_log(connection, logged)
    }

    /// What a long sort does not keep in memory goes into files in this folder, which have lost their names when they are made. For a process that may
    /// write nowhere else; before another thread has a connection.
    package static func keepTemporaryFiles(in folder: String) {
        // SAFETY: the C string is copied in the call.
        unsafe CSQLite_keep_temporary_files_in(folder)
    }

    deinit {
        statements = [:]
        // SAFETY: nothing uses the connection after this, and its statements are gone, so it is closed here and now.
        unsafe sqlite3_close_v2(connection)
        unsafe logged.deallocate()
        withExtendedLifetime(source) {}
    }

    /// For a database that anybody may have written: no value is longer than this, and `goesOn` is asked after each so many steps of its own. Where it
    /// answers false, what is under way fails.
    package func limit(length: Int32, steps: Int32, goesOn: @escaping () -> Bool) {
        let work = Work(goesOn)
        self.work = work
        // SAFETY: the object lives as long as this one, which closes the connection in its `deinit`.
        unsafe CSQLite_limit_length(connection, length)
        unsafe sqlite3_progress_handler(connection, steps, { context in
            guard let context = unsafe context else { return 1 }
            return unsafe Unmanaged<Work>.fromOpaque(context).takeUnretainedValue().goesOn() ? 0 : 1
        }, Unmanaged.passUnretained(work).toOpaque())
    }

    /// Carries out what has no values and no answer.
    package func execute(_ sql: String) throws(DatabaseFault) {
        // SAFETY: a C string through the call.
        let result = unsafe sqlite3_exec(connection, sql, nil, nil, nil)
        guard result == SQLITE_OK else { throw fault(result) }
    }

    /// A statement, made once and kept. Only one at a time walks through its rows.
    package func statement(_ sql: String) throws(DatabaseFault) -> Statement {
        if let known = statements[sql] {
            known.reset()
            return known
        }
        let made = try newStatement(sql)
        statements[sql] = made
        return made
    }

    /// A statement of one's own.
    package func newStatement(_ sql: String) throws(DatabaseFault) -> Statement {
        var prepared: OpaquePointer?
        // SAFETY: a C string through the call; the statement is finalized by its owner.
        let result = unsafe sqlite3_prepare_v2(connection, sql, -1, &prepared, nil)
        guard result == SQLITE_OK, let prepared = unsafe prepared else { throw fault(result) }
        return unsafe Statement(prepared, of: self)
    }

    /// Carries out a statement with values.
    package func run(_ sql: String, _ values: SQLValue...) throws(DatabaseFault) {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() {}
    }

    /// The first column of the first row, if there is one.
    package func integer(_ sql: String, _ values: SQLValue...) throws(DatabaseFault) -> Int64? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        return try statement.step() ? statement.integer(0) : nil
    }

    // SAFETY: the connection is open as long as this object is.
    package var lastRow: Int64 { unsafe sqlite3_last_insert_rowid(connection) }

    /// Does all of it or nothing, with what was done before and not written down yet.
    package func transaction(_ body: () throws(DatabaseFault) -> Void) throws(DatabaseFault) {
        try together(body)
        try writeDown()
    }

    /// Does it with what comes after it, up to `writeDown`: nobody else sees anything of it before. What does not work undoes all of that.
    package func together(_ body: () throws(DatabaseFault) -> Void) throws(DatabaseFault) {
        if !isBegun { try execute("BEGIN IMMEDIATE") }
        do throws(DatabaseFault) { try body() } catch {
            try? execute("ROLLBACK")
            throw error
        }
    }

    /// The others see what was done together, and it is there after a restart.
    package func writeDown() throws(DatabaseFault) { if isBegun { try execute("COMMIT") } }

    /// Carries what was written down from the log over into the file, if it is more than so many pages. That waits for the disk, so not while
    /// somebody waits for what was written down. Where it does not work, all is in the log still, and it is tried again.
    package func carryOver(above pages: Int32 = 1000) {
        // SAFETY: a number that lives as long as this object.
        if unsafe logged.pointee > pages { _ = try? integer("PRAGMA wal_checkpoint(PASSIVE)") }
    }

    // SAFETY: the connection is open as long as this object is.
    private var isBegun: Bool { unsafe sqlite3_get_autocommit(connection) == 0 }

    /// Becomes what another one is now.
    package func copy(from other: Database) throws(DatabaseFault) {
        statements = [:]
        // SAFETY: both connections are open through the copy, which is finished here in any case.
        guard let copy = unsafe sqlite3_backup_init(connection, "main", other.connection, "main") else { throw fault(unsafe sqlite3_errcode(connection)) }
        let result = unsafe sqlite3_backup_step(copy, -1)
        unsafe sqlite3_backup_finish(copy)
        guard result == SQLITE_DONE else { throw DatabaseFault(result, "it cannot be copied") }
    }

    func fault(_ result: Int32) -> DatabaseFault {
        // SAFETY: SQLite's own text, copied at once.
        let text = unsafe sqlite3_errmsg(connection).map { unsafe String(cString: $0) } ?? ""
        return DatabaseFault(result, text)
    }
}

/// Why a database did not do what it was asked.
package struct DatabaseFault: Error {
    package enum Kind {
        /// It is not what was written into it.
        case damaged
        /// Another process has it, for too long.
        case busy
        /// There is no room, no permission, no memory.
        case unavailable
    }

    package let kind: Kind
    package let sentence: String

    init(_ result: Int32, _ text: String) {
        kind = switch result & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH, SQLITE_NOMEM, SQLITE_PROTOCOL, SQLITE_NOLFS: .unavailable
        default: .damaged
        }
        sentence = text
    }

    package init(_ kind: Kind, _ sentence: String) {
        self.kind = kind
        self.sentence = sentence
    }
}
