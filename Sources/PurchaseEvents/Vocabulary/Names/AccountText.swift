package enum AccountText {
    /// An account, in lower case if it has the form of a UUID: StoreKit gives the same
    /// `appAccountToken` in lower case in signed data, and in capitals from `uuidString`.
    package static func written(_ account: String) -> String {
        isUUID(account.utf8) ? account.lowercased() : account
    }

    package static func isUUID(_ bytes: some Collection<UInt8>) -> Bool {
        guard bytes.count == 36 else { return false }
        return bytes.enumerated().allSatisfy { index, byte in
            [8, 13, 18, 23].contains(index)
                ? byte == UInt8(ascii: "-") : Character(Unicode.Scalar(byte)).isHexDigit
        }
    }
}

extension Identifier where S == Written {
    package var inLowerCase: Identifier { Identifier(AccountText.written(name)) }
}
