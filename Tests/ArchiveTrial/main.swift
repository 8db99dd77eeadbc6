import DocumentKit
import Foundation

// ArchiveTrial ours|foundation FILE…: what is in each keyed archive, a line for every key at the top, as one of the two unarchivers has it.
// A process of its own: Foundation's ends with some archives.

func told(_ value: Any?, _ depth: Int = 0) -> String {
    guard let value, depth < 32 else { return "nil" }
    func each(_ values: [Any]) -> String { values.map { told($0, depth + 1) }.joined(separator: ", ") }
    func sorted(_ values: [Any]) -> String { values.map { told($0, depth + 1) }.sorted().joined(separator: ", ") }
    switch value as AnyObject {
    case let text as NSString: return "“\(text)”"
    case let number as NSDecimalNumber: return "decimal \(number)"
    case let number as NSNumber: return "\(number)"
    case let data as NSData: return "<\(data.base64EncodedString(options: []))>"
    case let date as NSDate: return "at \(date.timeIntervalSinceReferenceDate)"
    case is NSNull: return "null"
    case let url as NSURL: return "url \(url.absoluteString)"
    case let uuid as NSUUID: return uuid.uuidString
    case let array as NSArray: return "[\(each(Array(array)))]"
    case let dictionary as NSDictionary: return "{\(dictionary.allKeys.map { told($0, depth + 1) + ": " + told(dictionary.object(forKey: $0), depth + 1) }.sorted().joined(separator: ", "))}"
    case let set as NSCountedSet: return "counted {\(set.allObjects.map { told($0, depth + 1) + " × \(set.count(for: $0))" }.sorted().joined(separator: ", "))}"
    case let set as NSSet: return "{\(sorted(set.allObjects))}"
    case let set as NSOrderedSet: return "ordered [\(each(set.array))]"
    case let indexes as NSIndexSet: return "indexes \(Array(indexes as IndexSet))"
    case let path as NSIndexPath: return "path \((0..<path.length).map { path.index(atPosition: $0) })"
    case let object as NSObject: return "\(type(of: object))"
    default: return "\(type(of: value))"
    }
}

let words = CommandLine.arguments
guard words.count == 3 else { exit(2) }
let data = try Data(contentsOf: URL(fileURLWithPath: words[2]))
let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
guard let archive = list as? [String: Any], archive["$archiver"] != nil, let top = archive["$top"] as? [String: Any] else {
    print("no archive")
    exit(0)
}
let coder: NSCoder
if words[1] == "ours" {
    let own = try KeyedUnarchiver(forReadingFrom: data)
    own.requiresSecureCoding = false
    coder = own
} else {
    let theirs = try NSKeyedUnarchiver(forReadingFrom: data)
    theirs.requiresSecureCoding = false
    theirs.decodingFailurePolicy = .setErrorAndReturn
    coder = theirs
}
for key in top.keys.sorted() {
    print("\(key) = \(told(coder.decodeObject(forKey: key)))")
}
if let error = coder.error { print("error \((error as NSError).localizedDescription)") }
