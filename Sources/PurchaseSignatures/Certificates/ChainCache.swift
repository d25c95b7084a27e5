import PurchaseEvents

/// Stores valid chains by the text of the JWS header, compared in full. The App Store uses few
/// chains; a full cache is emptied.
final class ChainCache: Sendable {
    static let capacity = 64
    /// The longest header to store, in bytes; Apple's has about 5,000.
    static let longestText = 65_536

    /// A text that is hashed as a whole; hashing it byte by byte is many times slower.
    private struct Key: Hashable, Sendable {
        var text: [UInt8]

        func hash(into hasher: inout Hasher) { text.withUnsafeBytes { hasher.combine(bytes: $0) } }
    }

    private struct State: Sendable {
        var chains: [Key: CertificateChain] = [:]
        var misses = 0
    }

    private let state = Protected(State())

    var misses: Int { state.withLock { $0.misses } }

    func chain(of header: [UInt8]) -> CertificateChain? {
        state.withLock { state in
            let chain = state.chains[Key(text: header)]
            if chain == nil { state.misses += 1 }
            return chain
        }
    }

    func keep(_ chain: CertificateChain, of header: [UInt8]) {
        guard header.count <= ChainCache.longestText else { return }
        state.withLock { state in
            if state.chains.count >= ChainCache.capacity { state.chains.removeAll() }
            state.chains[Key(text: header)] = chain
        }
    }
}
