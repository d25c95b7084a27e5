import PurchaseSignatures

/// The nonces for a signature, derived from the secret and the hash of the message (RFC 6979, 3.2).
///
/// The first nonce is the one to use. The next ones are for the case, which nobody has seen, that
/// the first gives no signature.
struct NonceSequence {
    private let curve: SigningCurve
    private let function: HashFunction
    /// The state of the generator: a key, and a value as long as the hash.
    private var key: [UInt8], value: [UInt8]
    private var isFirst = true

    /// - Parameter hash: The hash of the message by the function.
    init(_ curve: SigningCurve, secret: [UInt8], hash: [UInt8], _ function: HashFunction) {
        (self.curve, self.function) = (curve, function)
        key = [UInt8](repeating: 0, count: function.byteCount)
        value = [UInt8](repeating: 1, count: function.byteCount)
        let input = secret + curve.number(ofHash: hash)
        update([0] + input)
        update([1] + input)
    }

    /// The next nonce: a scalar of the curve.
    mutating func next() -> [UInt8] {
        while true {
            if !isFirst { update([0]) }
            isFirst = false
            var bytes: [UInt8] = []
            while bytes.count < curve.byteCount {
                value = function.authenticate(value, key: key)
                bytes += value
            }
            let nonce = Array(bytes.prefix(curve.byteCount))
            if curve.isScalar(nonce) { return nonce }
        }
    }

    private mutating func update(_ input: [UInt8]) {
        key = function.authenticate(value + input, key: key)
        value = function.authenticate(value, key: key)
    }
}

extension HashFunction {
    /// The authentication code of a message (HMAC, RFC 2104) under a key of at most one block.
    func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        let block = key + [UInt8](repeating: 0, count: max(0, blockSize - key.count))
        let inner = hash((block.map { $0 ^ 0x36 } + message)[...])
        return hash((block.map { $0 ^ 0x5C } + inner)[...])
    }

    /// The size of the blocks that the function hashes, in bytes.
    private var blockSize: Int {
        switch self {
        case .sha1, .sha256: 64
        case .sha384: 128
        }
    }
}
