/// Checks that bytes are UTF-8: no overlong form, no surrogate, nothing past U+10FFFF.
enum UTF8Check {
    static func check(_ bytes: UnsafeRawBufferPointer) throws(Diagnostic) {
        var position = 0
        while position < bytes.count {
            if bytes[position] < 0x80 {
                position += 1
                continue
            }
            var rest = bytes[position...].makeIterator()
            var parser = UTF8.ForwardParser()
            guard case .valid(let sequence) = parser.parseScalar(from: &rest) else {
                let seen = String(bytes[position], radix: 16, uppercase: true)
                throw Diagnostic(
                    .notUTF8, byte: position + 1, "expected UTF-8, seen the byte 0x\(seen)")
            }
            position += sequence.count
        }
    }
}
