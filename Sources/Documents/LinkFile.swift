import PropertyLists

/// A file that leads to a web page, in one of the forms that desktops know: read leniently, since
/// others wrote it, and written in one canonical way.
struct LinkFile: Equatable {
    var url: String
    /// The page's name, where the form has a place for one.
    var title: String?

    /// No link file is longer; anything that is was meant to be something else.
    static let longest = 1 << 20

    static func parse(_ bytes: [UInt8], as form: LinkForm) -> Result<LinkFile, LinkFault> {
        guard bytes.count <= longest else { return .failure(LinkFault(reason: "it is longer than a link file can be")) }
        do throws(LinkFault) {
            return switch form {
            case .url: .success(try internetShortcut(bytes))
            case .desktop: .success(try desktopEntry(bytes))
            case .webloc: .success(try webloc(bytes))
            case .html: .success(try page(bytes))
            }
        } catch { return .failure(error) }
    }

    /// The bytes of a link file with this content. A name is one line and an URL has no control
    /// characters, so whatever they hold, they cannot become lines or tags of their own.
    static func canonical(_ form: LinkForm, name: String, url: String) -> [UInt8] {
        let name = oneLine(name)
        let url = String(String.UnicodeScalarView(trimmed(url).unicodeScalars.filter { !isControl($0) }))
        return switch form {
        case .url: canonicalInternetShortcut(url: trimmed(url))
        case .desktop: canonicalDesktopEntry(name: name, url: trimmed(url))
        case .webloc: canonicalWebloc(url: trimmed(url))
        case .html: canonicalPage(name: name, url: trimmed(url))
        }
    }
}

/// Why a file is no link: a part of a sentence, such as "it has no URL= line under [InternetShortcut]".
struct LinkFault: Error, Equatable {
    let reason: String
}

extension LinkFile {
    /// An URL as it may be kept, from text that claims to be one.
    static func checkedURL(_ text: String) throws(LinkFault) -> String {
        let url = trimmed(text)
        guard !url.isEmpty else { throw LinkFault(reason: "its URL is empty") }
        guard !url.unicodeScalars.contains(where: isControl) else { throw LinkFault(reason: "its URL contains control characters") }
        return url
    }

    static func checkedURL(_ bytes: some Sequence<UInt8>) throws(LinkFault) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw LinkFault(reason: "its URL is not UTF-8 text") }
        return try checkedURL(text)
    }

    /// Without the spaces around it. By scalars: a space with a combining mark is a character of its own.
    static func trimmed(_ text: String) -> String {
        var scalars = text.unicodeScalars[...]
        while scalars.first == " " { scalars.removeFirst() }
        while scalars.last == " " { scalars.removeLast() }
        return String(scalars)
    }

    static func oneLine(_ name: String) -> String {
        String(String.UnicodeScalarView(name.unicodeScalars.map { isControl($0) ? " " : $0 }))
    }

    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }
}
