import Documents
import Testing

@Suite struct LinkAddressTests {
    @Test(arguments: [
        ("https://www.swift.org/", "https://www.swift.org/"), ("HTTP://a", "HTTP://a"), ("mailto:a@b.example", "mailto:a@b.example"),
        ("mailto:?to=a%40b.example&SUBJECT=H%C3%A4?&body=One%0D%0Atwo;%20three&cc=c@d.example", "mailto:?to=a%40b.example&SUBJECT=H%C3%A4?&body=One%0D%0Atwo;%20three&cc=c@d.example"),
        ("https://a.example/ --proxy=x \"y\"", "https://a.example/%20--proxy=x%20%22y%22"), ("a.example/`x`", "https://a.example/%60x%60"),
        ("www.example.com", "https://www.example.com"), ("a.example/b:c", "https://a.example/b:c"), ("ä.example", "https://ä.example"),
    ])
    func opened(url: String, address: String) throws { #expect(try Link(url: url).address() == address) }

    @Test(arguments: [
        "file:///etc/passwd", "FILE:/x", "javascript:alert(1)", "data:text/html,x", "smb://host/share", "vscode://x", "ms-msdt:/id", "x-y+z.1:",
        "mailto:a@b?attach=/etc/passwd", "MailTo:a@b?subject=x&%61TTACH=/etc/passwd", "mailto:?attachment=x", "mailto:a@b?subject=x&amp;attach=/etc/passwd",
        "mailto:a@b?x-anything=1", "mailto:a@b&attach=/etc/passwd", "mailto:&attach=x?subject=y", "mailto:a@b#&attach=x", "mailto:a@b#attach",
        "mailto:a@b?&attach", "mailto:a',attachment='file:///etc/passwd", "mailto:a%27,attachment=%27file:///etc/passwd",
        "mailto:a@b?subject=\\x27,attachment=x", "mailto:a@b?subject=x%0D%0ABcc:%20c@d", "mailto:a%00b", "mailto:a%2", "mailto:a%+1b", "mailto:?body=it%27s",
        "/etc/passwd", "-P", "--help", "../x", "./x", "",
    ])
    func refused(url: String) { #expect(throws: DocumentFault.self) { try Link(url: url).address() } }
}
