/// The text form of certificates (RFC 7468).
package enum PEM {
    private static let begin = Array("-----BEGIN CERTIFICATE-----".utf8)
    private static let end = Array("-----END CERTIFICATE-----".utf8)

    /// The certificates of a file, without the text between them; `nil` if no line begins one.
    static func certificates(in file: [UInt8]) throws(EncodingProblem) -> [[UInt8]]? {
        var (certificates, position) = ([[UInt8]](), 0)
        while let start = place(of: begin, in: file, from: position) {
            let body = start + begin.count
            guard let stop = place(of: end, in: file, from: body) else {
                throw EncodingProblem(
                    start, "a certificate that doesn't end, expected its END line")
            }
            do throws(EncodingProblem) {
                certificates.append(try Base64.decode(file[body..<stop], skippingSpaces: true))
            } catch {
                throw EncodingProblem(body + error.offset, error.message)
            }
            position = stop + end.count
        }
        return certificates.isEmpty ? nil : certificates
    }

    /// A certificate as the text of a file, with lines of 64 digits.
    package static func text(_ certificate: [UInt8]) -> [UInt8] {
        let digits = Base64.encode(certificate)
        var text = begin + [UInt8(ascii: "\n")]
        for start in stride(from: 0, to: digits.count, by: 64) {
            text += digits[start..<min(start + 64, digits.count)] + [UInt8(ascii: "\n")]
        }
        return text + end + [UInt8(ascii: "\n")]
    }

    private static func place(of mark: [UInt8], in file: [UInt8], from start: Int) -> Int? {
        var position = start
        while let found = file[position...].firstIndex(of: UInt8(ascii: "-")) {
            let isAtLineStart = found == 0 || file[found - 1] == UInt8(ascii: "\n")
            if isAtLineStart, file[found...].starts(with: mark) { return found }
            position = found + 1
        }
        return nil
    }
}
