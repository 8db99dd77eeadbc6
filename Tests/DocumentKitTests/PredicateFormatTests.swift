import DocumentKit
import Foundation
import Testing

/// Predicates in words, with arguments.
@Suite struct PredicateFormatTests {
    private let item: [String: Any] = [
        "kMDItemFSName": "Note 1.stedoc", "kMDItemFSSize": 12, "kMDItemFSContentChangeDate": Date(timeIntervalSince1970: 1_000_000_000),
        "NSMetadataItemIsUbiquitousKey": true,
    ]

    private func holds(_ format: String, _ arguments: Any...) -> Bool { NSPredicate(format: format, argumentArray: arguments).evaluate(with: item) }

    /// As the stories have them.
    @Test func theStoriesPredicates() {
        #expect(NSPredicate(format: "%K like '*'", NSMetadataItemFSNameKey).evaluate(with: item))
        #expect(NSPredicate(format: "%K LIKE '*.stedoc'", NSMetadataItemFSNameKey).evaluate(with: item))
        #expect(NSPredicate(format: "%K LIKE %@", NSMetadataItemFSNameKey, "*.stedoc").evaluate(with: item))
        #expect(!NSPredicate(format: "%K LIKE %@", NSMetadataItemFSNameKey, "*.ptk").evaluate(with: item))
        #expect(!NSPredicate(format: "%K like '*'", NSMetadataItemTitleKey).evaluate(with: item))
    }

    @Test func argumentsOfAllSorts() {
        #expect(holds("%K == %d", NSMetadataItemFSSizeKey, 12) && holds("%K < %f", NSMetadataItemFSSizeKey, 12.5) && holds("%K == %@", NSMetadataItemFSSizeKey, NSNumber(value: 12)))
        #expect(holds("%K < %@", NSMetadataItemFSContentChangeDateKey, Date()) && !holds("%K > %@", NSMetadataItemFSContentChangeDateKey, Date()))
        #expect(holds("%K IN %@", NSMetadataItemFSNameKey, ["a", "Note 1.stedoc"]) && holds("%K BETWEEN %@", NSMetadataItemFSSizeKey, [1, 20]))
        #expect(holds("%K == %@", NSMetadataItemIsUbiquitousKey, true) && holds("%K == %@", NSMetadataItemIsUbiquitousKey, NSNumber(value: true)))
        #expect(holds("%K LIKE '100%%' OR %K == %@", NSMetadataItemFSNameKey, NSMetadataItemFSNameKey, "Note 1.stedoc" as NSString))
        #expect(holds("%K == %@", NSMetadataItemTitleKey, NSNull()) && holds("kMDItemFSSize == 12"))
        #expect(NSPredicate(format: "%K LIKE '100%%'", NSMetadataItemFSNameKey).evaluate(with: ["kMDItemFSName": "100%"]))
    }

    /// As shipping apps ask for what a name or a URL has.
    @Test func partsOfNamesAndURLs() {
        #expect(holds("%K.pathExtension == 'stedoc'", NSMetadataItemFSNameKey) && !holds("%K.pathExtension == 'ptk'", NSMetadataItemFSNameKey))
        #expect(holds("%K.pathExtension IN %@", NSMetadataItemFSNameKey, ["md", "stedoc"]) && holds("NOT %K.pathExtension LIKE[c] %@", NSMetadataItemFSNameKey, "MD"))
        #expect(holds("%K ENDSWITH %@", NSMetadataItemFSNameKey + ".stringByDeletingPathExtension", "1") && holds("kMDItemFSName.length == 13"))
        let url = ["kMDItemPath": "/home/ann/My notes/a.md"]
        #expect(NSPredicate(format: "%K.pathExtension == 'md' AND %K.path.lastPathComponent == 'a.md'", NSMetadataItemURLKey, NSMetadataItemURLKey).evaluate(with: url))
        #expect(NSPredicate(format: "%K.path == %@", NSMetadataItemURLKey, "/home/ann/My notes/a.md").evaluate(with: url))
        #expect(NSPredicate(format: "%K.lastPathComponent BEGINSWITH 'a'", NSMetadataItemPathKey).evaluate(with: url))
        for (format, key) in [("%K.pathExtention == 'md'", NSMetadataItemFSNameKey), ("%K.length == 1", NSMetadataItemFSSizeKey), ("%K.== 1", NSMetadataItemFSSizeKey), ("%@.length == 1", "x")] {
            #expect(NSPredicate(format: format, key).formatFault != nil, "\(format)")
        }
    }

    /// As apps write them of `Int`, `UInt`, `Int64` and `CGFloat`.
    @Test(arguments: ["%d", "%i", "%u", "%ld", "%li", "%lu", "%lld", "%llu", "%qi", "%hd", "%zd", "%D", "%U", "%x"])
    func wholeNumbersHaveManyLetters(letters: String) {
        #expect(holds("%K == \(letters) AND %K < \(letters)", NSMetadataItemFSSizeKey, 12, NSMetadataItemFSSizeKey, Int64(13)))
        #expect(NSPredicate(format: "%K == \(letters)", NSMetadataItemFSSizeKey, 1.5).formatFault != nil)
    }

    @Test(arguments: ["%f", "%F", "%lf", "%Lf", "%g", "%e", "%lg"]) func othersToo(letters: String) {
        #expect(holds("%K < \(letters) AND %K == %@", NSMetadataItemFSSizeKey, 12.5, NSMetadataItemFSSizeKey, NSNumber(value: 12)))
    }

    @Test(arguments: ["%K == %y", "%lK == 1", "%K == %l@", "%K == %l", "%K == %"]) func whatIsNoPlaceholderIsAFault(format: String) {
        #expect(NSPredicate(format: format, NSMetadataItemFSSizeKey, 1).formatFault != nil)
    }

    @Test(arguments: ["", "%K LIEK 'x'", "%K ==", "nothing == 1", "%K == %@ AND %K == %@"])
    func whatCannotBeUnderstoodHoldsForNothing(format: String) {
        let predicate = NSPredicate(format: format, NSMetadataItemFSNameKey)
        #expect(predicate.formatFault != nil && !predicate.evaluate(with: item))
        let query = NSMetadataQuery()
        query.predicate = predicate
        #expect(!query.start() && !query.isStarted && query.failureDescription == predicate.formatFault)
    }

    @Test func anArgumentThatIsNoValueIsAFault() {
        #expect(NSPredicate(format: "%K == %@", NSMetadataItemFSNameKey, NSObject()).formatFault?.contains("no text, number, date") == true)
        #expect(NSPredicate(format: "size == %d", "many").formatFault != nil && NSPredicate(format: "size == 1", 5).formatFault != nil)
        #expect(NSPredicate(format: "size == 1").formatFault == nil && NSPredicate(value: true).formatFault == nil)
    }

    @Test func descriptorsSort() {
        let descriptor = NSSortDescriptor(key: NSMetadataItemFSSizeKey, ascending: false)
        #expect(!descriptor.ascending)
    }
}
