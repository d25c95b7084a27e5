import PurchaseEvents

/// The identifiers of a simulation, which don't come from choices, so shrinking a history keeps
/// them.
struct SimulatedNames {
    private let salt: UInt64
    private var transactions: UInt64 = 0
    private var uuids: UInt64 = 0

    init(salt: UInt64) { self.salt = SeededChoices.mix(salt) }

    /// A new identifier of 16 digits; successive identifiers are in no particular order.
    mutating func transaction(in environment: Environment?) -> String {
        transactions += 1
        // The factor is coprime to 10^10, so the remainders don't repeat.
        let scrambled = (transactions &* 3_874_204_891 &+ salt >> 30) % 10_000_000_000
        var rest: UInt64 = environment == nil ? 4_700_010_000_000_000 : 2_000_000_000_000_000
        rest += scrambled
        return String(unsafeUninitializedCapacity: 16) { bytes in
            for place in stride(from: 15, through: 0, by: -1) {
                bytes[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            return 16
        }
    }

    /// A new version 4 UUID.
    mutating func uuid() -> String {
        uuids += 1
        let high = SeededChoices.mix(salt &+ uuids &* 2), low = SeededChoices.mix(high ^ salt)
        return String(unsafeUninitializedCapacity: 36) { bytes in
            var place = 0
            for index in 0..<32 {
                if index == 8 || index == 12 || index == 16 || index == 20 {
                    bytes[place] = UInt8(ascii: "-")
                    place += 1
                }
                let word = index < 16 ? high : low
                var digit = UInt8(truncatingIfNeeded: word >> UInt64((index & 15) * 4) & 15)
                if index == 12 { digit = 4 }
                if index == 16 { digit = digit & 3 | 8 }
                bytes[place] =
                    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                place += 1
            }
            return 36
        }
    }
}
