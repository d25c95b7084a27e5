import PurchaseEvents

/// The simulated app as the App Store's documents name it.
enum StoreApp {
    static let bundle = "com.example.reader"
    /// The app's identifier in the store; documents of the sandbox leave it out.
    static let number: Int64 = 1_234_567_890
    static let version = "3.1.4"

    /// The store's own key of a customer of the app: a number made of the customer's name.
    static func customer(_ name: String) -> String {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return String(704_000_000_000_000_000 + SeededChoices.mix(sum) % 1_000_000_000_000_000)
    }

    static func word(_ environment: Environment) -> String {
        switch environment {
        case .production: "Production"
        case .sandbox: "Sandbox"
        case .xcode: "Xcode"
        }
    }
}
