/// Names that say of a file what it is, and that it is no bookmark: so nothing has to be read of it. An app may have called
/// a bookmark anything else.
enum ForeignNames {
    /// Extensions of at most eight letters, in small ones.
    private static let extensions: Set<UInt64> = Set(
        """
        txt text md rst log csv tsv json xml yml yaml toml ini cfg conf rtf tex bib pdf ps eps epub mobi djvu doc docx odt ods odp xls xlsx ppt
        pptx pages numbers key ics vcf eml mbox msg
        png jpg jpeg jpe gif webp heic heif avif tif tiff bmp svg ico icns psd xcf raw dng cr2 nef arw jxl
        mp3 m4a aac flac ogg oga opus wav aiff mid mp4 m4v mov avi mkv webm mpg mpeg ogv 3gp srt
        zip tar gz tgz bz2 xz zst 7z rar deb rpm dmg iso img jar apk ipa pkg
        html htm xhtml css js mjs ts jsx tsx php py pyc rb pl sh bash zsh fish swift c h m mm cc cpp cxx hpp hh rs go java kt cs lua sql db
        sqlite o a so dylib dll exe class wasm diff patch lock make cmake gradle ipynb r
        url desktop webloc stedoc ptk strings ttf otf woff woff2 eot
        tmp temp part partial download swp swo bak orig old rej
        """.split(whereSeparator: \.isWhitespace).compactMap { packed(Array($0.utf8)[...]) })

    static func isForeign(_ name: [UInt8]) -> Bool {
        // The hidden are others', and what editors put aside.
        guard name.first != UInt8(ascii: ".") else { return true }
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), let word = packed(name[(dot + 1)...]) else { return false }
        return extensions.contains(word)
    }

    /// Whether files of many programs have this extension, in small letters, and no packages alone.
    static func isCommon(fileExtension word: String) -> Bool {
        // Folders of settings, of versions and of what was put away.
        if ["d", "git", "svn", "hg"].contains(word) { return true }
        return packed(Array(word.utf8)[...]).map(extensions.contains) == true && !PackageNames.isPackage(fileExtension: word)
    }

    /// A short word as a number, whatever its letters' case; nil for a longer one.
    private static func packed(_ word: ArraySlice<UInt8>) -> UInt64? {
        guard (1...8).contains(word.count) else { return nil }
        return word.reduce(0) { $0 << 8 | UInt64(ItemName.lowercased($1)) }
    }
}
