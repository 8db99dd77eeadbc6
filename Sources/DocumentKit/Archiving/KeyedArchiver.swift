import Foundation
import KeyedArchives
import PropertyLists

/// Encodes objects into a keyed archive that `NSKeyedUnarchiver` on a phone reads, under the class names that it knows.
///
/// It does what Foundation's `NSKeyedArchiver` does on Apple's systems. On Linux that one cannot write a class under another
/// name than Swift's, which is what an archive of an Objective-C app needs.
///
/// ```swift
/// KeyedArchiver.setClassName("Bookmark", for: Bookmark.self)
/// let archiver = KeyedArchiver(requiringSecureCoding: false)
/// archiver.encode(bookmark, forKey: "Bookmark")
/// let contents = archiver.encodedData
/// ```
open class KeyedArchiver: NSCoder {
    private var table: ObjectTable
    /// What `$objects` holds so far: numbers in the table. An object's UID is its place here.
    private var slots: [Int]
    /// The fields of the objects that are being encoded, the outermost first; the first are those of the archive's top.
    private var scopes = [Scope()]
    private var places = Places()
    private var names: [ObjectIdentifier: String] = [:]
    private var data: Data?
    private let output: NSMutableData?
    private var isSecure: Bool
    private var fault: NSError?

    private struct Scope {
        var keys: [Int] = []
        var values: [Int] = []
        /// How many values were encoded without a key.
        var unkeyed = 0
    }

    /// Where what was encoded is.
    private struct Places {
        var objects: [ObjectIdentifier: Int] = [:]
        /// Objects that are only referred to so far: their places are kept free.
        var reserved: [ObjectIdentifier: Int] = [:]
        var texts: [String: Int] = [:]
        var classes: [String: Int] = [:]
        var types: [ObjectIdentifier: Int] = [:]
        /// The numbers of the UIDs in the table.
        var references: [Int: Int] = [:]
        /// So that an address is not given to another object meanwhile.
        var kept: [AnyObject] = []
    }

    /// The object that is told of what is encoded.
    ///
    /// ```swift
    /// archiver.delegate = censor
    /// ```
    open weak var delegate: (any KeyedArchiverDelegate)?

    /// The form of the archive: binary, or XML. Anything else is binary.
    ///
    /// ```swift
    /// archiver.outputFormat = .xml
    /// ```
    open var outputFormat = PropertyListSerialization.PropertyListFormat.binary

    /// An archiver whose archive is taken from ``encodedData``.
    ///
    /// ```swift
    /// let archiver = KeyedArchiver(requiringSecureCoding: true)
    /// ```
    public init(requiringSecureCoding: Bool) {
        isSecure = requiringSecureCoding
        output = nil
        (table, slots) = Self.empty()
        super.init()
    }

    /// An archiver that wants no secure coding.
    ///
    /// ```swift
    /// let archiver = KeyedArchiver()
    /// ```
    public convenience override init() { self.init(requiringSecureCoding: false) }

    /// An archiver that puts the archive into `data` when ``finishEncoding()`` is called.
    ///
    /// ```swift
    /// let data = NSMutableData()
    /// let archiver = KeyedArchiver(forWritingWith: data)
    /// ```
    public init(forWritingWith data: NSMutableData) {
        isSecure = false
        output = data
        (table, slots) = Self.empty()
        super.init()
    }

    private static func empty() -> (ObjectTable, [Int]) {
        var limits = PropertyListLimits.standard
        limits.objectCount = 1 << 26
        limits.memory = .max
        var table = ObjectTable(limits: limits)
        let null = table.add("$null")
        return (table, [null])
    }

    // MARK: In one call

    /// An archive of one object, under the key "root".
    ///
    /// ```swift
    /// let data = try KeyedArchiver.archivedData(withRootObject: bookmark, requiringSecureCoding: false)
    /// ```
    /// - Throws: an error that names the class that cannot be encoded.
    open class func archivedData(withRootObject object: Any, requiringSecureCoding: Bool) throws -> Data {
        let archiver = KeyedArchiver(requiringSecureCoding: requiringSecureCoding)
        archiver.encode(object, forKey: NSKeyedArchiveRootObjectKey)
        let data = archiver.encodedData
        if let fault = archiver.fault { throw fault }
        return data
    }

    /// An archive of one object, under the key "root". What cannot be encoded is nil in it.
    ///
    /// ```swift
    /// let data = KeyedArchiver.archivedData(withRootObject: bookmark)
    /// ```
    open class func archivedData(withRootObject object: Any) -> Data {
        let archiver = KeyedArchiver()
        archiver.encode(object, forKey: NSKeyedArchiveRootObjectKey)
        return archiver.encodedData
    }

    /// Writes an archive of one object to a file, wholly or not at all.
    ///
    /// ```swift
    /// KeyedArchiver.archiveRootObject(bookmarks, toFile: path)
    /// ```
    /// - Returns: whether it was written.
    @discardableResult
    open class func archiveRootObject(_ object: Any, toFile path: String) -> Bool {
        guard let data = try? archivedData(withRootObject: object, requiringSecureCoding: false) else { return false }
        return (try? data.write(to: URL(fileURLWithPath: path), options: .atomic)) != nil
    }

    // MARK: The archive

    /// The archive. Asking for it ends the encoding.
    ///
    /// ```swift
    /// try archiver.encodedData.write(to: url, options: .atomic)
    /// ```
    open var encodedData: Data {
        finishEncoding()
        return data ?? Data()
    }

    /// Ends the encoding: the archive is put together, and nothing can be encoded any more.
    ///
    /// ```swift
    /// archiver.finishEncoding()
    /// ```
    open func finishEncoding() {
        guard data == nil else { return }
        delegate?.archiverWillFinish(self)
        let archive = written()
        data = archive
        output?.setData(archive)
        delegate?.archiverDidFinish(self)
    }

    private func written() -> Data {
        let top = scopes.first ?? Scope()
        var table = table
        let keys = [table.add("$version"), table.add("$archiver"), table.add("$top"), table.add("$objects")]
        let values = [
            table.add(.integer(100_000)), table.add("NSKeyedArchiver"), table.add(.dictionary(keys: top.keys, values: top.values)),
            table.add(.array(slots)),
        ]
        table.top = table.add(.dictionary(keys: keys, values: values))
        do {
            let binary = try table.written()
            guard outputFormat == .xml else { return Data(binary) }
            var limits = PropertyListLimits.standard
            (limits.objectCount, limits.memory) = (1 << 26, .max)
            guard let text = try BinaryPropertyList(Bytes(binary), limits: limits).tree().xml() else { throw PropertyListFault.damaged("XML cannot say it.") }
            return Data(text)
        } catch {
            fail("The archive could not be written: \(error)")
            return Data()
        }
    }

    private func fail(_ sentence: String) {
        guard fault == nil else { return }
        fault = CoderFault.error(.coderInvalidValue, sentence)
    }

    /// Why something could not be encoded; the first, should there be several.
    ///
    /// ```swift
    /// if let error = archiver.error { print(error.localizedDescription) }
    /// ```
    open override var error: Error? { fault }

    // MARK: Names of classes

    /// Writes objects of a class under another name, in all archives of this process.
    ///
    /// ```swift
    /// KeyedArchiver.setClassName("Bookmark", for: Bookmark.self)
    /// ```
    open class func setClassName(_ codedName: String?, for cls: AnyClass) { ClassNames.written.setName(codedName, of: cls) }

    /// Writes objects of a class under another name in this archive. It goes before what is set for all.
    ///
    /// ```swift
    /// archiver.setClassName("PTKData", for: PhotoData.self)
    /// ```
    open func setClassName(_ codedName: String?, for cls: AnyClass) {
        names[ObjectIdentifier(cls)] = codedName
        places.types = [:]
    }

    /// The name that was set for a class in all archives; nil where none was.
    ///
    /// ```swift
    /// KeyedArchiver.className(for: Bookmark.self)     // "Bookmark"
    /// ```
    open class func className(for cls: AnyClass) -> String? { ClassNames.written.name(of: cls) }

    /// The name that was set for a class in this archive; nil where none was.
    ///
    /// ```swift
    /// archiver.className(for: PhotoData.self)         // "PTKData"
    /// ```
    open func className(for cls: AnyClass) -> String? { names[ObjectIdentifier(cls)] }

    private func writtenName(of type: AnyClass) -> String {
        names[ObjectIdentifier(type)] ?? ClassNames.written.name(of: type) ?? ClassName.text(of: type)
    }

    // MARK: What a coder says of itself

    open override var allowsKeyedCoding: Bool { true }

    /// Whether only classes that conform to `NSSecureCoding` are encoded.
    ///
    /// ```swift
    /// archiver.requiresSecureCoding = true
    /// ```
    open override var requiresSecureCoding: Bool {
        get { isSecure }
        set { isSecure = newValue }
    }

    open override var systemVersion: UInt32 { 2000 }

    // MARK: Values with a key

    open override func encode(_ object: Any?, forKey key: String) { set(key, to: reference(to: object)) }
    open override func encode(_ value: Bool, forKey key: String) { set(key, table.add(.boolean(value))) }
    open override func encode(_ value: Int32, forKey key: String) { set(key, table.add(.integer(Int128(value)))) }
    open override func encode(_ value: Int64, forKey key: String) { set(key, table.add(.integer(Int128(value)))) }
    open override func encode(_ value: Int, forKey key: String) { set(key, table.add(.integer(Int128(value)))) }
    open override func encode(_ value: Float, forKey key: String) { set(key, table.add(.float(value))) }
    open override func encode(_ value: Double, forKey key: String) { set(key, table.add(.real(value))) }

    open override func encodeBytes(_ bytes: UnsafePointer<UInt8>?, length: Int, forKey key: String) {
        // SAFETY: the caller says that so many bytes lie there.
        let copied = unsafe bytes.map { unsafe Array(UnsafeBufferPointer(start: $0, count: max(0, length))) } ?? []
        set(key, table.add(.data(.bytes(copied))))
    }

    /// Encodes a reference to an object, if it is encoded elsewhere in the archive, before or after this; or else nil.
    ///
    /// ```swift
    /// coder.encodeConditionalObject(parent, forKey: "Parent")
    /// ```
    open override func encodeConditionalObject(_ object: Any?, forKey key: String) { set(key, to: conditionalReference(to: object)) }

    private func set(_ key: String, to uid: Int) { set(key, number(ofReference: uid)) }

    private func set(_ key: String, _ value: Int) { put(ArchiveTable.escaped(key), value) }

    private func put(_ spelled: String, _ value: Int) {
        guard data == nil else { return fail("“\(spelled)” was encoded after the end of the encoding") }
        let number = table.add(spelled), last = scopes.count - 1
        // A key that is set again has the last value.
        if let position = scopes[last].keys.firstIndex(of: number) { return scopes[last].values[position] = value }
        scopes[last].keys.append(number)
        scopes[last].values.append(value)
    }

    private func number(ofReference uid: Int) -> Int {
        if let number = places.references[uid] { return number }
        let number = table.add(.uid(UInt64(uid)))
        places.references[uid] = number
        return number
    }

    // MARK: Values without a key

    open override func encode(_ object: Any?) { putNext(number(ofReference: reference(to: object))) }
    open override func encode(_ data: Data) { encode(data as Any?) }
    open override func encodePropertyList(_ aPropertyList: Any) { encode(aPropertyList as Any?) }
    open override func encodeConditionalObject(_ object: Any?) { putNext(number(ofReference: conditionalReference(to: object))) }

    open override func encodeValue(ofObjCType type: UnsafePointer<Int8>, at address: UnsafeRawPointer) {
        // SAFETY: the caller says what lies at the address.
        let code = unsafe UInt8(bitPattern: type.pointee)
        guard let value = unsafe ScalarCode(rawValue: code)?.object(at: address) else {
            if code == UInt8(ascii: "@") { return unsafe encode(address.load(as: Any?.self)) }
            return fail("Values of the type “\(Character(Unicode.Scalar(code)))” cannot be encoded without a key")
        }
        putNext(table.add(value))
    }

    private func putNext(_ value: Int) {
        let last = scopes.count - 1
        put("$\(scopes[last].unkeyed)", value)
        scopes[last].unkeyed += 1
    }

    // MARK: Objects

    /// Where an object is in the archive; it is encoded if it is not there yet. 0 is nil.
    /// `isReplacement`: it is encoded in the place of another one, and is not asked for another one itself.
    private func reference(to given: Any?, isReplacement: Bool = false) -> Int {
        guard let given, !isNone(given) else { return 0 }
        if let text = given as? String, !(given is NSMutableString) { return place(ofText: text) }
        // As an object it would be copied once more.
        if delegate == nil, type(of: given) == Data.self, let data = given as? Data {
            slots.append(table.add(.data(.bytes([UInt8](data)))))
            return slots.count - 1
        }
        let object = given as AnyObject
        if let uid = places.objects[ObjectIdentifier(object)] { return uid }
        guard let encoded = replaced(object, isReplacement: isReplacement) else {
            places.objects[ObjectIdentifier(object)] = 0
            places.kept.append(object)
            return 0
        }
        let uid = encoded === object ? encode(object) : reference(to: encoded, isReplacement: true)
        places.objects[ObjectIdentifier(object)] = uid
        places.kept.append(object)
        delegate?.archiver(self, didEncode: encoded)
        return uid
    }

    /// An optional that was handed on as any value.
    private func isNone(_ value: Any) -> Bool { !(type(of: value) is AnyClass) && (value as? any Absence)?.isAbsent == true }

    /// The object's own answer first, then the delegate's.
    private func replaced(_ object: AnyObject, isReplacement: Bool) -> AnyObject? {
        var result: AnyObject? = object
        func replace(with answer: Any?) {
            let answer = answer.map { $0 as AnyObject }
            if answer !== result { delegate?.archiver(self, willReplace: result, with: answer) }
            result = answer
        }
        if !isReplacement, let own = object as? NSObject { replace(with: own.replacementObject(for: self)) }
        if let delegate, let object = result { replace(with: delegate.archiver(self, willEncode: object)) }
        return result
    }

    private func conditionalReference(to given: Any?) -> Int {
        guard let given, !isNone(given) else { return 0 }
        let object = given as AnyObject, key = ObjectIdentifier(object)
        if let uid = places.objects[key] ?? places.reserved[key] { return uid }
        // Its place says “nothing” until somebody encodes it.
        slots.append(slots[0])
        places.reserved[key] = slots.count - 1
        places.kept.append(object)
        return slots.count - 1
    }

    private func place(ofText text: String) -> Int {
        if let uid = places.texts[text] { return uid }
        // What means nil in the archive is written as a string of the other form.
        let number = text == "$null" ? wrapped("NS.string", table.add(text), as: ["NSString", "NSObject"]) : table.add(text)
        slots.append(number)
        places.texts[text] = slots.count - 1
        return slots.count - 1
    }

    private func encode(_ object: AnyObject) -> Int {
        let key = ObjectIdentifier(object)
        let uid = places.reserved.removeValue(forKey: key) ?? slots.count
        if uid == slots.count { slots.append(slots[0]) }
        // Before its fields: they may lead back here.
        places.objects[key] = uid
        places.kept.append(object)
        guard depth < Self.deepest else {
            fail("Objects in objects in objects: more than \(Self.deepest) of them")
            return uid
        }
        depth += 1
        defer { depth -= 1 }
        switch FoundationObject(object) {
        case .plain(let value): slots[uid] = table.add(value)
        case .wrapped(let key, let value, let classes): slots[uid] = wrapped(key, table.add(value), as: classes)
        case .text(let text): slots[uid] = wrapped("NS.string", table.add(text), as: ["NSMutableString", "NSString", "NSObject"])
        case .composed(let classes, let fields): slots[uid] = composed(classes, fields)
        case nil: slots[uid] = coded(object)
        }
        return uid
    }

    private func wrapped(_ key: String, _ value: Int, as classes: [String]) -> Int {
        let fields = [table.add(key), table.add("$class")]
        return table.add(.dictionary(keys: fields, values: [value, number(ofReference: place(ofClass: classes))]))
    }

    private func composed(_ classes: [String], _ fields: [FoundationObject.Field]) -> Int {
        var keys: [Int] = [], values: [Int] = []
        for field in fields {
            keys.append(table.add(field.key))
            switch field.value {
            case .inline(let value): values.append(table.add(value))
            case .object(let object): values.append(number(ofReference: reference(to: object)))
            case .objects(let objects):
                let row = objects.map { number(ofReference: reference(to: $0)) }
                values.append(table.add(.array(row)))
            }
        }
        keys.append(table.add("$class"))
        values.append(number(ofReference: place(ofClass: classes)))
        return table.add(.dictionary(keys: keys, values: values))
    }

    /// Objects in objects, each on the stack of the one that encodes it.
    private static let deepest = 256
    private var depth = 0

    /// What an object says of itself.
    private func coded(_ object: AnyObject) -> Int {
        let type: AnyClass = (object as? NSObject)?.classForCoder ?? Swift.type(of: object)
        guard let coding = object as? any NSCoding else {
            fail("“\(writtenName(of: type))” cannot be encoded: it does not conform to NSCoding")
            return slots[0]
        }
        if isSecure, (type as? any NSSecureCoding.Type)?.supportsSecureCoding != true {
            fail("“\(writtenName(of: type))” cannot be encoded: it does not support secure coding")
            return slots[0]
        }
        scopes.append(Scope())
        coding.encode(with: self)
        let scope = scopes.removeLast()
        return table.add(.dictionary(keys: scope.keys + [table.add("$class")], values: scope.values + [number(ofReference: place(of: type))]))
    }

    private func place(of type: AnyClass) -> Int {
        if let uid = places.types[ObjectIdentifier(type)] { return uid }
        let uid = place(ofClass: ClassName.chain(of: type).map(writtenName))
        places.types[ObjectIdentifier(type)] = uid
        return uid
    }

    private func place(ofClass names: [String]) -> Int {
        let name = names.first ?? "NSObject"
        if let uid = places.classes[name] { return uid }
        let texts = names.map { table.add($0) }
        let keys = [table.add("$classname"), table.add("$classes")]
        slots.append(table.add(.dictionary(keys: keys, values: [table.add(name), table.add(.array(texts))])))
        places.classes[name] = slots.count - 1
        return slots.count - 1
    }
}

/// An optional of whatever type.
private protocol Absence { var isAbsent: Bool { get } }

extension Optional: Absence {
    fileprivate var isAbsent: Bool { self == nil }
}
