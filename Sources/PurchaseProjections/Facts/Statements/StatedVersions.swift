import PurchaseEvents

/// A field that statements give for a transaction, with a version of its own.
enum StatedField: UInt32, CaseIterable {
    case product, original, quantity, purchasedAt, originalPurchasedAt, expiresAt, ownership
    case upgraded, kind, group, price, refund, refundKind, refundPercent, account
}

/// The version of each stated field of a transaction.
///
/// Nearly all fields come from one or two statements, so two bits a field select the version.
struct StatedVersions: Sendable {
    /// Where the version of a field is kept.
    enum Place: UInt32 { case nowhere, first, second, elsewhere }

    private var first = VersionID()
    private var second = VersionID()
    /// A two-bit ``Place`` for each ``StatedField``.
    private var places: UInt32 = 0

    @inline(__always)
    func has(_ field: StatedField) -> Bool { places &>> (field.rawValue &* 2) & 3 != 0 }

    @inline(__always)
    func place(of field: StatedField) -> Place {
        Place(rawValue: places &>> (field.rawValue &* 2) & 3) ?? .nowhere
    }

    /// The version kept at a place; none for ``Place/elsewhere``.
    @inline(__always)
    func version(at place: Place) -> VersionID {
        switch place {
        case .nowhere, .elsewhere: VersionID()
        case .first: first
        case .second: second
        }
    }

    @inline(__always)
    var isEmpty: Bool { places == 0 }

    mutating func forget(_ field: StatedField) { put(.nowhere, field) }

    /// Records the version of a field; `false` if the caller must keep the version elsewhere.
    @inline(__always)
    mutating func note(_ version: VersionID, of field: StatedField) -> Bool {
        if version == first {
            put(.first, field)
            return true
        }
        return noteApart(version, of: field)
    }

    private mutating func noteApart(_ version: VersionID, of field: StatedField) -> Bool {
        put(.nowhere, field)
        if version == second {
            put(.second, field)
        } else if !isUsed(.first) {
            first = version
            put(.first, field)
        } else if !isUsed(.second) {
            second = version
            put(.second, field)
        } else {
            put(.elsewhere, field)
            return false
        }
        return true
    }

    @inline(__always)
    private mutating func put(_ place: Place, _ field: StatedField) {
        let shift = field.rawValue &* 2
        places = places & ~(3 &<< shift) | place.rawValue &<< shift
    }

    @inline(__always)
    private func isUsed(_ place: Place) -> Bool {
        let ones: UInt32 = 0x5555_5555
        let (low, high) = (places & ones, places &>> 1 & ones)
        return place == .first ? low & ~high != 0 : high & ~low != 0
    }
}
