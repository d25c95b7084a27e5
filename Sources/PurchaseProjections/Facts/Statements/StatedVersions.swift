import PurchaseEvents

/// What statements say of a transaction, each for itself.
enum StatedThing: UInt32, CaseIterable {
    case product, original, quantity, purchasedAt, originalPurchasedAt, expiresAt, ownership
    case upgraded, kind, group, price, refund, refundKind, refundPercent, account
}

/// Which statement each thing was taken from that is known of a transaction.
///
/// Nearly always it is one statement or two for all things, so two bits a thing tell which.
struct StatedVersions: Sendable {
    /// Where the version of a thing is.
    enum Place: UInt32 { case nowhere, first, second, elsewhere }

    private var first = VersionID()
    private var second = VersionID()
    /// A ``Place`` each ``StatedThing``.
    private var places: UInt32 = 0

    /// Whether a statement said something.
    @inline(__always)
    func has(_ thing: StatedThing) -> Bool { places &>> (thing.rawValue &* 2) & 3 != 0 }

    @inline(__always)
    func place(of thing: StatedThing) -> Place {
        Place(rawValue: places &>> (thing.rawValue &* 2) & 3) ?? .nowhere
    }

    /// The version that is kept here; none for one that is elsewhere.
    @inline(__always)
    func version(at place: Place) -> VersionID {
        switch place {
        case .nowhere, .elsewhere: VersionID()
        case .first: first
        case .second: second
        }
    }

    /// Whether a statement said nothing of any thing.
    @inline(__always)
    var isEmpty: Bool { places == 0 }

    /// Forgets that a statement said something.
    mutating func forget(_ thing: StatedThing) { put(.nowhere, thing) }

    /// Notes the version of a thing; `false` where it has to be kept elsewhere.
    @inline(__always)
    mutating func note(_ version: VersionID, of thing: StatedThing) -> Bool {
        if version == first {
            put(.first, thing)
            return true
        }
        return noteApart(version, of: thing)
    }

    private mutating func noteApart(_ version: VersionID, of thing: StatedThing) -> Bool {
        put(.nowhere, thing)
        if version == second {
            put(.second, thing)
        } else if !isUsed(.first) {
            first = version
            put(.first, thing)
        } else if !isUsed(.second) {
            second = version
            put(.second, thing)
        } else {
            put(.elsewhere, thing)
            return false
        }
        return true
    }

    @inline(__always)
    private mutating func put(_ place: Place, _ thing: StatedThing) {
        let shift = thing.rawValue &* 2
        places = places & ~(3 &<< shift) | place.rawValue &<< shift
    }

    /// Whether a thing has its version at the first or the second place.
    @inline(__always)
    private func isUsed(_ place: Place) -> Bool {
        let ones: UInt32 = 0x5555_5555
        let (low, high) = (places & ones, places &>> 1 & ones)
        return place == .first ? low & ~high != 0 : high & ~low != 0
    }
}
