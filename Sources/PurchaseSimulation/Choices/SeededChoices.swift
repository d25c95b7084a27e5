import PurchaseEvents

/// Random choices from a seed; equal seeds give equal choices on every platform.
///
/// The generator is SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
/// 2014). A number below a bound is the high half of a 128-bit product.
public final class SeededChoices: ChoiceSource {
    private var state: UInt64

    /// Creates the choices of a seed.
    public init(seed: UInt64) { state = seed }

    /// A number from 0 up to, but not including, the bound.
    public func draw(below bound: Int64) -> Int64 {
        let next = SeededChoices.mix(state)
        state &+= 0x9E37_79B9_7F4A_7C15
        return Int64(bitPattern: next.multipliedFullWidth(by: UInt64(bitPattern: bound)).high)
    }

    /// The output of SplitMix64 for a state.
    static func mix(_ state: UInt64) -> UInt64 {
        var mixed = state &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
