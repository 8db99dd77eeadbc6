import DocumentKit
import Foundation
import MountTesting
import Testing

/// Archives that others wrote, read by ours and by Foundation's unarchiver. Tests/Support/foreign_archives.py says what is compared; by hand
/// it reads a whole folder of them.
@Suite struct ForeignArchiveTests {
    @Test func oursSayTheSameAsFoundation() throws {
        let folder = try MountTesting.TemporaryFolder()
        let values: [NSObject] = [
            "text" as NSString, "日本 😀" as NSString, NSNumber(value: true), NSNumber(value: -5), NSNumber(value: 1.5), Data([1, 2, 3]) as NSData,
            NSNull(), NSURL(string: "b?c=d", relativeTo: URL(string: "http://a/")) ?? NSURL(fileURLWithPath: "/"), UUID() as NSUUID, Date() as NSDate,
            [1, "a", [2, Data([9])]] as NSArray, ["k": [1, 2], "l": NSNull()] as NSDictionary, NSSet(array: [1, 2]), NSOrderedSet(array: [3, 1, 2]),
            NSIndexSet(indexesIn: NSRange(location: 3, length: 4)), NSIndexPath(indexes: [1, 2, 3], length: 3),
        ]
        for (index, value) in values.enumerated() {
            let data = try Foundation.NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: false)
            try data.write(to: URL(fileURLWithPath: folder.path + "/\(index).plist"))
            try KeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: false).write(to: URL(fileURLWithPath: folder.path + "/own \(index).plist"))
        }
        try Data("none".utf8).write(to: URL(fileURLWithPath: folder.path + "/none"))
        let ended = try Program([Places.support("foreign_archives.py"), folder.path], environment: ["BUILT": Places.built]).wait(seconds: 500)
        #expect(ended.code == 0 && ended.output.hasSuffix("1 no archive, \(values.count * 2) the same\n"), "\(ended.output)\(ended.errors)")
    }
}
