/// Names of folders that Apple's programs show as one document or one program. What is in such a folder belongs to the app that made it.
///
/// Linux does not know that. So a list of extensions says it, beside the kinds of a container and what apps declare.
enum PackageNames {
    private static let extensions: Set<String> = Set(
        """
        pages numbers key template kth nmbtemplate iba ibooks epub rtfd textbundle
        scriv ulysses ulyz mellel papers2 graffle gstencil gtemplate ooutline oo3 oplx ofocus omnifocus curio hype hypetemplate
        dtbase2 dtsparse nvbundle mindnode sketch pxd
        photoslibrary photolibrary aplibrary migratedphotolibrary pvt livephoto imovielibrary imovieproject imovieevent theater
        fcpbundle fcpxmld motn band logicx logic mainstage dvdproj tvlibrary musiclibrary
        abbu icbu mbox vpdoc download
        app appex bundle framework xcframework plugin kext dext xpc prefpane qlgenerator mdimporter saver workflow wdgt
        scptd iconset rcproject mlpackage mlmodelc scnassets docc doccarchive
        xcodeproj xcworkspace xcassets xcdatamodel xcdatamodeld xcarchive xcresult xctest dsym playground playgroundbook swiftpm storyboardc nib lbdata instrdst
        sparsebundle backupbundle pkg mpkg pvm vmwarevm utm
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// `word` is in small letters.
    static func isPackage(fileExtension word: String) -> Bool { word.utf8.count <= 24 && extensions.contains(word) }
}

extension DocumentKinds {
    /// Whether a folder with this extension, in small letters, is a package of some app that nothing else has to be
    /// known of.
    public static func isForeignPackage(fileExtension: String) -> Bool {
        PackageNames.isPackage(fileExtension: fileExtension)
    }
}
