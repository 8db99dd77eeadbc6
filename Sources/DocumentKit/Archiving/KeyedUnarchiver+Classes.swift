import Foundation
import KeyedArchives

// Objects that have a class: which one it is, and whether it may be made.
extension KeyedUnarchiver {
    func composed(_ fields: ArchiveTable.Fields, _ key: String, at place: Int) -> Any? {
        guard let archive, let reference = archive.value("$class", in: fields), case .uid(let uid)? = archive[reference],
              let description = description(uid) else {
            fail("The value for key “\(key)” is an object without a class.")
            return nil
        }
        guard let type = type(of: description, key) else { return nil }
        scopes.append(Scope(fields: fields))
        defer { scopes.removeLast() }
        if let builtIn = BuiltInClass(type) {
            guard let object = builtIn.object(from: self) else {
                if fault == nil { fail("The “\(description.name)” for key “\(key)” cannot be decoded.") }
                return nil
            }
            return fault == nil ? keep(object, type, place) : nil
        }
        guard let coding = type as? any NSCoding.Type else {
            fail("The value for key “\(key)” is of the class “\(description.name)”, which does not conform to NSCoding.")
            return nil
        }
        // A class that asks for nothing in particular gets what has no classes of its own inside.
        let isOld = isSecure && (type as? any NSSecureCoding.Type)?.supportsSecureCoding != true
        guard let object = allowing(isOld ? (allowed.last ?? []) + BuiltInClass.leaves : nil, { coding.init(coder: self) }), fault == nil else {
            if fault == nil { fail("The “\(description.name)” for key “\(key)” cannot be decoded: its init(coder:) answered nil.", .coderValueNotFound) }
            return nil
        }
        // No class of Foundation's is asked: what comes of that for a value takes longer than reading it.
        guard type is any AwakingAfterDecoding.Type, let awakening = object as? any AwakingAfterDecoding else { return keep(object, type, place) }
        return keep(awakening.awakeAfter(using: self), type, place)
    }

    private func description(_ uid: UInt64) -> Description? {
        guard let place = Int(exactly: uid), let archive, let number = archive.slot(uid) else { return nil }
        if let known = descriptions[place] { return known }
        guard case .dictionary(let keys, let values)? = archive[number] else { return nil }
        let fields = ArchiveTable.Fields(keys: keys, values: values)
        func texts(_ key: String) -> [String] {
            guard let value = archive.value(key, in: fields), case .array(let row)? = archive[value] else { return [] }
            return row.prefix(64).compactMap { archive.objects.text($0) }
        }
        guard let name = archive.value("$classname", in: fields).flatMap({ archive.objects.text($0) }), name.utf8.count <= 1024 else { return nil }
        let description = Description(name: name, chain: texts("$classes"), hints: texts("$classhints"))
        descriptions[place] = description
        return description
    }

    /// The class to make. Looked for anew for each question, because each allows other classes.
    private func type(of description: Description, _ key: String) -> AnyClass? {
        let name = description.name
        var found: AnyClass? = classes[name] ?? ClassNames.read.type(named: name) ?? BuiltInClass.type(named: name)
        if found == nil, let allowed = allowed.last {
            found = allowed.first { ClassName.text(of: $0) == name }
                ?? allowed.first { BuiltInClass.type(named: ClassName.text(of: $0)) == nil && ClassName.last(ClassName.text(of: $0)) == ClassName.last(name) }
        }
        found = found ?? ClassName.found(name) ?? description.hints.lazy.compactMap(ClassName.found).first
        found = found ?? delegate?.unarchiver(self, cannotDecodeObjectOfClassName: name, originalClasses: description.chain)
        guard let found else {
            if isSecure { refuse(name, key) } else {
                fail("The value for key “\(key)” is of the class “\(name)”, which this program does not have; name one with setClass(_:forClassName:).")
            }
            return nil
        }
        guard isAllowed(found, key, called: name) else { return nil }
        if isSecure, BuiltInClass(found) == nil, (found as? any NSSecureCoding.Type)?.supportsSecureCoding != true, !isNamed(found) {
            fail("The value for key “\(key)” is of the class “\(name)”, which does not support secure coding.")
            return nil
        }
        return found
    }

    /// The caller named this very class: then it may be one that knows nothing of secure coding, as those of older apps.
    private func isNamed(_ type: AnyClass) -> Bool { allowed.last?.contains { $0 == type } ?? false }

    // MARK: For Foundation's own classes

    /// The objects of an array of references under a key.
    func objects(_ key: String) -> [Any]? {
        guard let archive, let value = value(key) else { return [] }
        guard case .array(let row)? = archive[value] else {
            fail("The value for key “\(key)” is no array.")
            return nil
        }
        var objects: [Any] = []
        objects.reserveCapacity(row.count)
        for number in row {
            guard let object = object(at: number, key) else {
                if fault != nil { return nil }
                objects.append(NSNull())
                continue
            }
            objects.append(object)
        }
        return objects
    }

    /// The data or text under a key, inline or by reference, asked by a class of Foundation's that was allowed itself.
    func trusted(_ classes: [AnyClass], _ key: String) -> Any? { allowing(classes) { object(at: value(key), key) } }
}
