import CalendarDays

/// The numbers by which the parts of a ZIP are known.
enum ZipMark {
    static let local: UInt64 = 0x0403_4B50, central: UInt64 = 0x0201_4B50, descriptor: UInt64 = 0x0807_4B50
    static let end: UInt64 = 0x0605_4B50, end64: UInt64 = 0x0606_4B50, locator64: UInt64 = 0x0706_4B50

    static let zip64: UInt64 = 0x0001, ntfs: UInt64 = 0x000A, timestamp: UInt64 = 0x5455, oldUnix: UInt64 = 0x5855, unicodePath: UInt64 = 0x7075
    /// Valise's own extra: "vl", and four more bytes, because another program may use the same number.
    static let own: UInt64 = 0x6C76
    static let ownName = Array("VLSE".utf8)

    /// What stands in 32 or 16 bits where the number is in a field of 64 bits.
    static let elsewhere32: Int64 = 0xFFFF_FFFF, elsewhere16 = 0xFFFF
}

/// Numbers are little-endian.
struct ZipWriter {
    var bytes: [UInt8] = []

    mutating func add(_ number: UInt64, _ width: Int) {
        for index in 0..<width { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index))) }
    }

    mutating func add(_ number: Int64, _ width: Int) { add(UInt64(bitPattern: number), width) }
    mutating func add(_ number: Int, _ width: Int) { add(Int64(number), width) }
    mutating func add(_ more: [UInt8]) { bytes += more }
}

/// Bytes from which numbers are taken, one after the other; nil where they end.
struct ZipFields {
    private let all: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { all = bytes }

    /// How many are left.
    var count: Int { all.count - position }

    mutating func bytes(_ count: Int) -> [UInt8]? {
        guard self.count >= count else { return nil }
        defer { position += count }
        return Array(all[position..<(position + count)])
    }

    mutating func number(_ width: Int) -> UInt64? {
        guard count >= width else { return nil }
        var number: UInt64 = 0, index = position + width
        while index > position {
            index -= 1
            number = number << 8 | UInt64(all[index])
        }
        position += width
        return number
    }
}

/// What a header says beyond its fields.
enum ZipExtras {
    static let mostBytes = 0xFFFF

    /// In the header before the content. Other programs find the time there.
    static func local(of entry: PackageEntry) -> [UInt8] {
        var writer = ZipWriter()
        if entry.length >= ZipMark.elsewhere32 {
            writer.add(ZipMark.zip64, 2)
            writer.add(16, 2)
            writer.add(entry.length, 8)
            writer.add(entry.length, 8)
        }
        addTime(of: entry, to: &writer)
        return writer.bytes
    }

    /// In the directory. The exact time and the extended attributes are only here: a program that understands them reads the directory anyway.
    static func central(of entry: PackageEntry, at offset: Int64) -> [UInt8] {
        var writer = ZipWriter()
        let isLong = entry.length >= ZipMark.elsewhere32, isFar = offset >= ZipMark.elsewhere32
        if isLong || isFar {
            writer.add(ZipMark.zip64, 2)
            writer.add((isLong ? 16 : 0) + (isFar ? 8 : 0), 2)
            if isLong {
                writer.add(entry.length, 8)
                writer.add(entry.length, 8)
            }
            if isFar { writer.add(offset, 8) }
        }
        addTime(of: entry, to: &writer)
        writer.add(ZipMark.own, 2)
        writer.add(ownLength(of: entry), 2)
        writer.add(ZipMark.ownName)
        writer.add(1, 1)
        writer.add(entry.modified.seconds, 8)
        writer.add(Int64(entry.modified.nanoseconds), 4)
        for attribute in entry.attributes {
            writer.add(attribute.name.count, 1)
            writer.add(attribute.value.count, 2)
            writer.add(attribute.name)
            writer.add(attribute.value)
        }
        return writer.bytes
    }

    static func localLength(of entry: PackageEntry) -> Int { (entry.length >= ZipMark.elsewhere32 ? 20 : 0) + timeLength(of: entry) }

    static func centralLength(of entry: PackageEntry, at offset: Int64) -> Int {
        let zip64 = (entry.length >= ZipMark.elsewhere32 ? 16 : 0) + (offset >= ZipMark.elsewhere32 ? 8 : 0)
        return (zip64 > 0 ? 4 + zip64 : 0) + timeLength(of: entry) + 4 + ownLength(of: entry)
    }

    /// Wherever the entry lies.
    static func longestLength(of entry: PackageEntry) -> Int { centralLength(of: entry, at: .max) }

    private static func ownLength(of entry: PackageEntry) -> Int { entry.attributes.reduce(17) { $0 + 3 + $1.name.count + $1.value.count } }

    // MARK: Times for all programs

    private static let secondsFrom1601: Int64 = 11_644_473_600
    /// Programs take the 32 bits of a timestamp for signed or for unsigned.
    private static let timestamps: Range<Int64> = 0..<(1 << 31)
    /// To the year 27320: as a count of 100 nanoseconds it fits into 63 bits.
    private static let ntfsTimes: Range<Int64> = -secondsFrom1601..<800_000_000_000

    private static func timeLength(of entry: PackageEntry) -> Int {
        timestamps.contains(entry.modified.seconds) ? 9 : ntfsTimes.contains(entry.modified.seconds) ? 36 : 0
    }

    private static func addTime(of entry: PackageEntry, to writer: inout ZipWriter) {
        let (seconds, nanoseconds) = (entry.modified.seconds, entry.modified.nanoseconds)
        if timestamps.contains(seconds) {
            writer.add(ZipMark.timestamp, 2)
            writer.add(5, 2)
            // It is the time of the last change that follows, and no other.
            writer.add(1, 1)
            writer.add(seconds, 4)
        } else if ntfsTimes.contains(seconds) {
            writer.add(ZipMark.ntfs, 2)
            writer.add(32, 2)
            writer.add(0, 4)
            writer.add(1, 2)
            writer.add(24, 2)
            for _ in 0..<3 { writer.add((secondsFrom1601 + seconds) * 10_000_000 + Int64(nanoseconds / 100), 8) }
        }
    }

    /// Date and time of a header: in UTC, each second second from 1980 to 2107. What is outside is the nearest of these.
    static func dosTime(of moment: PackageEntry.Moment) -> UInt64 {
        let seconds = min(max(moment.seconds, 315_532_800), 4_354_819_198)
        let day = CalendarDay(daysSince1970: seconds / 86_400), second = seconds % 86_400
        let date = (day.year - 1980) << 9 | day.month << 5 | day.day, time = (second / 3600) << 11 | (second % 3600 / 60) << 5 | second % 60 / 2
        return UInt64(date << 16 | time)
    }

    static func moment(ofDOSTime dos: UInt64) -> PackageEntry.Moment {
        let number = Int64(truncatingIfNeeded: dos), date = number >> 16, time = number & 0xFFFF
        let said = CalendarDay(year: 1980 + (date >> 9), month: date >> 5 & 15, day: date & 31)
        let day = said.isReal ? said : CalendarDay(year: 1980, month: 1, day: 1)
        return PackageEntry.Moment(
            seconds: day.daysSince1970 * 86_400 + min(time >> 11, 23) * 3600 + min(time >> 5 & 63, 59) * 60 + min(time & 31, 29) * 2)
    }
}

/// Extras from any program.
struct ZipReadExtras {
    var zip64: ZipFields?
    /// The finest that one of them says.
    var modified: PackageEntry.Moment?
    /// Where it is not what Valise writes.
    var attributes: [PackageEntry.Attribute] = []
    var isOurs = false
    /// The name once more, as some programs write it.
    var unicodePath: [UInt8]?

    /// Nil where they do not fit into each other.
    init?(_ bytes: [UInt8], beside dosTime: UInt64) {
        var fields = ZipFields(bytes), rank = 0
        // Some programs fill up with up to three zeros.
        while fields.count >= 4 {
            guard let mark = fields.number(2), let count = fields.number(2), let inside = fields.bytes(Int(count)) else { return nil }
            var extra = ZipFields(inside)
            func take(_ moment: PackageEntry.Moment, _ worth: Int) {
                if worth > rank { (modified, rank) = (moment, worth) }
            }
            switch mark {
            case ZipMark.zip64:
                if zip64 != nil { return nil }
                zip64 = extra
            case ZipMark.oldUnix:
                if extra.number(4) != nil, let seconds = extra.number(4) { take(Self.moment(seconds, beside: dosTime), 1) }
            case ZipMark.timestamp:
                if let flags = extra.number(1), flags & 1 == 1, let seconds = extra.number(4) { take(Self.moment(seconds, beside: dosTime), 2) }
            case ZipMark.ntfs:
                if extra.number(4) != nil, extra.number(2) == 1, extra.number(2) == 24, let ticks = extra.number(8), ticks > 0, ticks < 1 << 63 {
                    let count = Int64(ticks)
                    take(.init(seconds: count / 10_000_000 - 11_644_473_600, nanoseconds: Int32(truncatingIfNeeded: count % 10_000_000 * 100)), 3)
                }
            case ZipMark.unicodePath:
                if extra.number(1) == 1, extra.number(4) != nil { unicodePath = extra.bytes(extra.count) }
            case ZipMark.own:
                guard extra.bytes(4) == ZipMark.ownName else { continue }
                if isOurs { return nil }
                guard extra.number(1) == 1, let seconds = extra.number(8), let nanoseconds = extra.number(4) else { continue }
                isOurs = true
                take(.init(seconds: Int64(bitPattern: seconds), nanoseconds: Int32(clamping: nanoseconds)), 4)
                while extra.count > 0 {
                    guard let name = extra.number(1), let value = extra.number(2), let name = extra.bytes(Int(name)),
                        let value = extra.bytes(Int(value))
                    else { return nil }
                    attributes.append(.init(name: name, value: value))
                }
            default: continue
            }
        }
    }

    /// The 32 bits are signed, but where DOS' date says that it is after 2037: many programs go on with one bit more.
    private static func moment(_ number: UInt64, beside dosTime: UInt64) -> PackageEntry.Moment {
        let isLate = dosTime >> 25 >= 2038 - 1980
        return .init(seconds: isLate ? Int64(number) : Int64(Int32(truncatingIfNeeded: number)))
    }
}
