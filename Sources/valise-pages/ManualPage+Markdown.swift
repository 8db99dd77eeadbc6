// valise-semantics(7) from docs/SEMANTICS.md, and the recipes of valise(1) from docs/RECIPES.md: headings, paragraphs, lists and
// examples, which is all there is in them.
extension ManualPage {
    static func semantics(_ markdown: String, version: String) -> String {
        // The first heading is the page's title.
        let lines = markdown.split(separator: "\n", omittingEmptySubsequences: false).drop { !$0.hasPrefix("# ") }.dropFirst()
        return """
            .TH VALISE\\-SEMANTICS 7 "" "Valise \(version)" "Valise"
            .SH NAME
            valise\\-semantics \\- what a drive of Valise shows and does
            """ + body(lines) { $0.hasPrefix("###") ? "\n.SS \($1)" : "\n.SH \($1.uppercased())" } + "\n.SH SEE ALSO\n.BR valise (1),\n.BR mount.valise (8)\n"
    }

    /// What stands before the first of them is said in the page itself.
    static func recipes(_ markdown: String) -> String {
        let lines = markdown.split(separator: "\n", omittingEmptySubsequences: false).drop { !$0.hasPrefix("## ") }
        return String(body(lines) { "\n.SS \($1)" }.dropFirst())
    }

    private static func body(_ lines: ArraySlice<Substring>, heading: (Substring, String) -> String) -> String {
        var page = ""
        var isInExample = false, isInItem = false, mayContinue = false
        // A comment is for those who read the source.
        for line in lines where !line.hasPrefix("<!--") {
            if line.hasPrefix("```") {
                page += isInExample ? "\n.EE\n.RE" : "\n.PP\n.RS 4\n.EX"
                isInExample.toggle()
                mayContinue = false
            } else if isInExample {
                page += "\n" + Roff.paragraph(line)
            } else if line.isEmpty {
                mayContinue = false
            } else if line.hasPrefix("#") {
                page += heading(line, span(line.drop { $0 == "#" || $0 == " " }))
                mayContinue = false
            } else if line.hasPrefix("- ") {
                page += "\n.IP \\(bu 2\n" + begun(span(line.dropFirst(2)))
                (isInItem, mayContinue) = (true, true)
            } else {
                if !mayContinue { page += isInItem && line.hasPrefix("  ") ? "\n.IP" : "\n.PP" }
                if !line.hasPrefix("  ") { isInItem = false }
                page += "\n" + begun(span(line.drop { $0 == " " }))
                mayContinue = true
            }
        }
        return page
    }

    private static func begun(_ line: String) -> String { line.hasPrefix(".") ? "\\&" + line : line }

    /// A line with its `code`, **bold** and *italic* words.
    private static func span(_ line: some StringProtocol) -> String {
        var result = "", rest = line[...], font: Character?
        while let character = rest.first {
            let mark: Substring? = character == "`" ? "`" : rest.hasPrefix("**") ? "**" : character == "*" ? "*" : nil
            // Within code a star is a star.
            guard let mark, font == nil || font == mark.first, mark == "`" || font != nil || rest.dropFirst(mark.count).contains(mark.first ?? "*") else {
                result += Roff.text(rest.prefix(1))
                rest = rest.dropFirst()
                continue
            }
            result += font == nil ? (mark == "*" ? "\\fI" : "\\fB") : "\\fR"
            font = font == nil ? mark.first : nil
            rest = rest.dropFirst(mark.count)
        }
        return result
    }
}
