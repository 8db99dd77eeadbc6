import Foundation

/// Small images of 60 × 40 pixels (the GIF: 12 × 8) whose quarters are red, green, blue and white.
enum QuarteredImage {
    static let all: [(name: String, bytes: [UInt8])] = [
        ("png", Array(png)), ("jpeg", Array(jpeg)), ("gif", Array(gif)), ("webp", Array(webp)), ("heic", Array(heic)), ("avif", Array(avif)),
        ("tiff", Array(tiff)), ("bmp", bmp),
    ]

    private static func decoded(_ text: String) -> Data { Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data() }

    /// Written by hand: rows from the last to the first, blue before green before red.
    static let bmp: [UInt8] = {
        func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
        var bytes = Array("BM".utf8) + number(54 + 7200, 4) + number(0, 4) + number(54, 4)
        bytes += number(40, 4) + number(60, 4) + number(40, 4) + number(1, 2) + number(24, 2) + number(0, 24)
        for row in (0..<40).reversed() {
            let halves: ([UInt8], [UInt8]) = row < 20 ? ([0, 0, 255], [0, 255, 0]) : ([255, 0, 0], [255, 255, 255])
            for column in 0..<60 { bytes += column < 30 ? halves.0 : halves.1 }
        }
        return bytes
    }()

    static let png = decoded(
        """
        iVBORw0KGgoAAAANSUhEUgAAADwAAAAoCAIAAAAt2Q6oAAAAA3NCSVQICAjb4U/gAAAAUklEQVRYhe3XsRHAMAwDMSv772y3WUBfAQPwvuXcs2XWpr+t
        4U2iK6IroiuiK6IroiuiK6IroitzztaVuz7in+iK6IroiuiK6IroiuiK6IroygMeZgVL/SjTGgAAAABJRU5ErkJggg==
        """)

    static let jpeg = decoded(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIU
        FRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wAARCAAoADwDASIAAhEB
        AxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS
        0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKz
        tLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgEC
        BAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpj
        ZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6
        /9oADAMBAAIRAxEAPwD50ooor8MP9UwrsvhB/wAlE0n/ALbf+iXrja7L4Qf8lE0n/tt/6JeuLHf7pV/wy/Jn5j4o/wDJBZ//ANgeJ/8ATMz6Uooor8fP
        +d0KKKKAPz7/AOFq/wDUL/8AJj/7Gj/hav8A1C//ACY/+xrgKK/3B/4glwB/0Lv/ACrX/wDlh/qR/wARf43/AOg//wAp0f8A5Wd//wALV/6hf/kx/wDY
        17J+x/qH/C2P2i/CXhXy/wCyv7Q+1/6Xu87y9lpNJ9z5c52Y6jrn2r5cr6X/AOCbv/J6Pw7/AO4j/wCm66r5ziXwZ4EwuR46vRy+0o0qjT9rW0ag2t6l
        tzgx/iVxXnmErZVmGM56FeMqc48lNc0JpxkrxgpK8W1dNNbppn6cf8Mg/wDU2/8AlN/+20f8Mg/9Tb/5Tf8A7bX0ZRX8E/6k5B/0D/8Ak8//AJI/HP8A
        iHXC/wD0Cf8Ak9T/AOTPnP8A4ZB/6m3/AMpv/wBto/4ZB/6m3/ym/wD22voyij/UnIP+gf8A8nn/APJB/wAQ64X/AOgT/wAnqf8AyZ/NJRRRX+xZ3hX0
        v/wTd/5PR+Hf/cR/9N11RRXynFn/ACT2Y/8AXmr/AOkSN6H8aHqvzP3Eooor/Nc+xCiiigD/2Q==
        """)

    static let gif = decoded(
        """
        R0lGODlhDAAIAJEAAP8AAAD/AAAA/////ywAAAAADAAIAAACNwQIEGDChAkBAgSYMGFCgAABJkyYECBAgAkTJpQoUeLGjRslSpS4ceNGiRIlbty4UaJE
        iRs3biwAOw==
        """)

    static let webp = decoded(
        """
        UklGRkAAAABXRUJQVlA4TDQAAAAvO8AJAB8gEEjeHzqN+RcQFPwf3fxHZA9AUSSpESZviajDwZGsAJ4R/Z+AxMH4OAhX4+MA
        """)

    static let heic = decoded(
        """
        AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAa1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAAAAAC
        AAAAEGlkYXQAAAAAADwAKAAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHRAAEAAAAAAAAAnQACAAEAAAAAAAAAAQAAAAAAAAAIAAAAOGlpbmYAAAAAAAIA
        AAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAVaW5mZQIAAAAAAgAAZ3JpZAAAAADYaXBycAAAALZpcGNvAAAAdmh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAP
        AyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQEDcAAAAwCQAAADAAADAB6gIIEFlurkprm4EBAwIAAAAwAgAAADACEiAAEABkQBwXPA
        iQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAPAAAACgAAAAQcGl4aQAAAAADCAgIAAAAGmlwbWEAAAAAAAAAAgABAoECAAICA4QAAAAa
        aXJlZgAAAAAAAAAOZGltZwACAAEAAQAAAKVtZGF0AAAAmSgBrwng4dFpv/lPL/5g7Q+Irt/YVf9rjyl8ao45lgh8jtthVHrMl+YeRuqbs5vDBjs5Z+K4
        F3fBX2Jze7CLLyO4loZdg7pzqBtFKSTfWh8/7AB+4AFGoJd84jzrzmvXTwiCVhF0EIrHXe2I4VPaFrVY7b46rM705BnC3RAVe5O1TAnb9D48l48qgXPt
        tHNYScA2Ez5puKffHA==
        """)

    static let avif = decoded(
        """
        AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAOptZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAAAAAB
        AAAAImlsb2MAAAAAREAAAQABAAAAAAEOAAEAAAAAAAAAVAAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGF2MDEAAAAAamlwcnAAAABLaXBjbwAA
        ABNjb2xybmNseAACAAIABoAAAAAMYXYxQ4EADAAAAAAUaXNwZQAAAAAAAAA8AAAAKAAAABBwaXhpAAAAAAMICAgAAAAXaXBtYQAAAAAAAAABAAEEgYID
        hAAAAFxtZGF0EgAKCRgVe52CBAQNCDJFRZABhhhhQNm1zdTJIoLk/W444kTC87KcyP8AvEHMSRPs8adPheU8pJ7wUVrjR/KxwUK6D24NRi2hoO0D0H9G
        i/p6YGMX
        """)

    static let tiff = decoded(
        """
        SUkqAEgAAAB4nO3OwQ0AAAgCMfdfGocwvCzhfWlm0nmrm16YmZmZmZmZmZmZmZn5kbmX7o2ZmZmZmZmZmZmZmZn5vgVHcwLDCwAAAQMAAQAAADwAAAAB
        AQMAAQAAACgAAAACAQMAAwAAANIAAAADAQMAAQAAAAgAAAAGAQMAAQAAAAIAAAAKAQMAAQAAAAEAAAARAQQAAQAAAAgAAAAVAQMAAQAAAAMAAAAWAQMA
        AQAAACgAAAAXAQQAAQAAAEAAAAAcAQMAAQAAAAEAAAAAAAAACAAIAAgA
        """)
}
