// swift-format-ignore-file

import Foundation

@frozen public enum VerificationResult<SignedType> {
    case unverified(SignedType, VerificationResult<SignedType>.VerificationError)
    case verified(SignedType)

    public enum VerificationError: Error {
        case revokedCertificate, invalidCertificateChain, invalidDeviceVerification
        case invalidEncoding, invalidSignature, missingRequiredProperties
    }

    public var payloadValue: SignedType { get throws { unsafePayloadValue } }
    public var unsafePayloadValue: SignedType {
        switch self {
        case .verified(let value), .unverified(let value, _): value
        }
    }
}

extension VerificationResult: Sendable where SignedType: Sendable {}

extension VerificationResult where SignedType == Transaction {
    public var jwsRepresentation: String { "" }
}

extension VerificationResult where SignedType == Product.SubscriptionInfo.RenewalInfo {
    public var jwsRepresentation: String { "" }
}

public struct Transaction: Identifiable, Sendable {
    public struct Transactions: AsyncSequence, Sendable {
        public struct AsyncIterator: AsyncIteratorProtocol {
            public mutating func next() async -> VerificationResult<Transaction>? { nil }
        }

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
    }

    public let id: UInt64
    public let jsonRepresentation: Data
    public static var all: Transactions { Transactions() }
    public static var updates: Transactions { Transactions() }
    public static var unfinished: Transactions { Transactions() }
    public static var currentEntitlements: Transactions { Transactions() }
    public func finish() async {}
}

public struct Product: Identifiable, Sendable {
    public struct ProductType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let consumable = ProductType(rawValue: "Consumable")
        public static let nonConsumable = ProductType(rawValue: "Non-Consumable")
        public static let nonRenewable = ProductType(rawValue: "Non-Renewing Subscription")
        public static let autoRenewable = ProductType(rawValue: "Auto-Renewable Subscription")
    }

    public struct SubscriptionPeriod: Hashable, Sendable {
        public enum Unit: Hashable, Sendable { case day, week, month, year }
        public let unit: Unit
        public let value: Int
    }

    public struct SubscriptionInfo: Sendable {
        public struct RenewalInfo: Sendable {}

        public struct RenewalState: RawRepresentable, Hashable, Sendable {
            public let rawValue: Int
            public init(rawValue: Int) { self.rawValue = rawValue }
        }

        public struct Status: Sendable {
            public let state: RenewalState
            public let transaction: VerificationResult<Transaction>
            public let renewalInfo: VerificationResult<RenewalInfo>

            public struct Statuses: AsyncSequence, Sendable {
                public struct AsyncIterator: AsyncIteratorProtocol {
                    public mutating func next() async -> Status? { nil }
                }

                public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
            }

            public static var updates: Statuses { Statuses() }
        }

        public let subscriptionGroupID: String
        public let subscriptionPeriod: SubscriptionPeriod
        public var status: [Status] { get async throws { [] } }
    }

    public struct PurchaseOption: Hashable, Sendable {
        public static func appAccountToken(_ token: UUID) -> PurchaseOption { PurchaseOption() }
        public static func quantity(_ quantity: Int) -> PurchaseOption { PurchaseOption() }
    }

    public enum PurchaseResult: Sendable {
        case success(VerificationResult<Transaction>)
        case userCancelled, pending
    }

    public enum PurchaseError: Error {
        case invalidQuantity, productUnavailable, purchaseNotAllowed, ineligibleForOffer
        case invalidOfferIdentifier, invalidOfferPrice, invalidOfferSignature
        case missingOfferParameters
    }

    public let id: String
    public let type: ProductType
    public let price: Decimal
    public let priceFormatStyle: Decimal.FormatStyle.Currency
    public let isFamilyShareable: Bool
    public let subscription: SubscriptionInfo?

    public static func products<Identifiers: Collection>(
        for identifiers: Identifiers
    ) async throws -> [Product] where Identifiers.Element == String { [] }

    public func purchase(
        options: Set<PurchaseOption> = []
    ) async throws -> PurchaseResult { .pending }
}

public struct PurchaseIntent: Sendable {
    public struct PurchaseIntents: AsyncSequence, Sendable {
        public struct AsyncIterator: AsyncIteratorProtocol {
            public mutating func next() async -> PurchaseIntent? { nil }
        }

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
    }

    public let product: Product
    public static var intents: PurchaseIntents { PurchaseIntents() }
}

public enum StoreKitError: Error {
    case unknown, userCancelled
    case networkError(URLError)
    case systemError(any Error)
    case notAvailableInStorefront, notEntitled
}

public enum AppStore {
    public static func sync() async throws {}
    public static var canMakePayments: Bool { false }
}
