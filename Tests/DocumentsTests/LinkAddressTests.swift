import Documents
import Testing

@Suite struct LinkAddressTests {
    @Test(arguments: [
        ("https://www.swift.org/", "https://www.swift.org/"), ("HTTP://a", "HTTP://a"), ("mailto:a@b.example", "mailto:a@b.example"),
        ("www.example.com", "https://www.example.com"), ("a.example/b:c", "https://a.example/b:c"), ("ä.example", "https://ä.example"),
    ])
    func opened(url: String, address: String) throws { #expect(try Link(url: url).address() == address) }

    @Test(arguments: [
        "file:///etc/passwd", "FILE:/x", "javascript:alert(1)", "data:text/html,x", "smb://host/share", "vscode://x", "ms-msdt:/id", "x-y+z.1:",
        "/etc/passwd", "-P", "--help", "../x", "./x", "",
    ])
    func refused(url: String) { #expect(throws: DocumentFault.self) { try Link(url: url).address() } }
}
