/// The 32 bytes of a SHA-256 hash, such as a chain value or a fingerprint of content.
public struct Digest: BitwiseCopyable, Hashable, Sendable {
    /// The bytes as eight big-endian words.
    package var words: SIMD8<UInt32>

    init(words: SIMD8<UInt32>) { self.words = words }

    /// 32 zero bytes, the chain value before the first line.
    public static let zero = Digest(words: .zero)

    /// Parses 64 lower-case hex digits; returns `nil` for anything else.
    public init?(hex: String) {
        var hex = hex
        guard let digest = hex.withUTF8({ Digest(hexBytes: UnsafeRawBufferPointer($0)) }) else {
            return nil
        }
        self = digest
    }

    init?(hexBytes: UnsafeRawBufferPointer) {
        guard hexBytes.count == Digest.hexLength else { return nil }
        words = .zero
        for index in 0..<8 {
            guard let word = Hex.word(ofDigits: hexBytes.word(at: index &* 8).byteSwapped) else {
                return nil
            }
            words[index] = word
        }
    }

    static let hexLength = 64

    /// The bytes as 64 lower-case hex digits.
    public var hex: String {
        String(unsafeUninitializedCapacity: Digest.hexLength) { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            writeHex(to: base)
            return Digest.hexLength
        }
    }

    func writeHex(to place: UnsafeMutablePointer<UInt8>) {
        let place = UnsafeMutableRawPointer(place)
        for index in 0..<8 {
            place.storeBytes(
                of: Hex.digits(of: words[index]).bigEndian, toByteOffset: index &* 8,
                as: UInt64.self)
        }
    }

    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var bytes = words
        for index in 0..<8 { bytes[index] = words[index].bigEndian }
        return withUnsafeBytes(of: bytes, body)
    }

    package var bytes: [UInt8] { withBytes { Array($0) } }
}

extension Digest: CustomStringConvertible {
    /// 64 lower-case hex digits.
    public var description: String { hex }
}
