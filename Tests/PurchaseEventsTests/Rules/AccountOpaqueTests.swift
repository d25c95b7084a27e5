import Testing

@testable import PurchaseProjections

struct AccountOpaqueTests {
    @Test func `hashes and identifiers are opaque`() throws {
        for name in [
            "6f1c2b1e-3d47-4a90-8c55-2b7e90d1f3a8", "6F1C2B1E3D474A908C552B7E90D1F3A8",
            "e3b0c442-98fc1c14-9afbf4c8-996fb924-27ae41e4-649b934c-a495991b-7852b855",
            "9f86d081884c7d65", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "cjld2cjxh0000qzrmn831i7rn",
            "n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=", "Xk3jQ0vYtUaPz81mBcD2eFgH",
        ] { #expect(isOpaque(name), "\(name)") }
    }

    @Test func `addresses, words and short numbers are not`() throws {
        for name in [
            "reader@example.com", "jane", "Jane Doe", "jane-doe", "user-4711", "48213", "deadbeef",
            "an-account-of-the-reader", "JaneElizabethSmithOfYork", "名前名前名前名前名前",
        ] { #expect(!isOpaque(name), "\(name)") }
    }

    private func isOpaque(_ name: String) -> Bool {
        Array(name.utf8).withUnsafeBytes { AccountOpaque.isOpaque($0) }
    }
}
