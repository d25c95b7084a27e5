import PurchaseEvents

/// The chains that held, by the text of the header that states all three certificates.
///
/// Equal text is equal certificates, and compared in full: no hash decides. It keeps a bounded
/// number, for the App Store uses few; when they are too many it begins anew.
final class ChainCache: Sendable {
    /// How many chains are kept at most.
    static let capacity = 64

    /// A text that is hashed as one piece: byte by byte takes many times as long.
    private struct Key: Hashable, Sendable {
        var text: [UInt8]

        func hash(into hasher: inout Hasher) {
            text.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    private struct State: Sendable {
        var chains: [Key: CertificateChain] = [:]
        var misses = 0
    }

    private let state = Protected(State())

    /// How many chains were asked for that weren't kept.
    var misses: Int { state.withLock { $0.misses } }

    /// The chain of a header; `nil` where it isn't kept.
    func chain(of header: [UInt8]) -> CertificateChain? {
        state.withLock { state in
            let chain = state.chains[Key(text: header)]
            if chain == nil { state.misses += 1 }
            return chain
        }
    }

    /// Keeps a chain that held.
    func keep(_ chain: CertificateChain, of header: [UInt8]) {
        state.withLock { state in
            if state.chains.count >= ChainCache.capacity { state.chains.removeAll() }
            state.chains[Key(text: header)] = chain
        }
    }
}
