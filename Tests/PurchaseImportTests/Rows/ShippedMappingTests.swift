import Foundation
import TestSupport
import Testing

@testable import PurchaseEvents
@testable import PurchaseImport

/// The mappings in `Mappings`, each on its invented sample; and what exports look like.
struct ShippedMappingTests {
    private static let folder = Folders.root.appending(path: "Mappings")

    /// Each mapping, the ending of its sample, and the types of the sample's events.
    static let all: [(name: String, ending: String, types: [String])] = [
        (
            "revenuecat-webhooks", "jsonl",
            [
                "renewal.started", "renewal.renewed", "renewal.turnedOff",
                "cancellation.refunded", "renewal.expired",
            ]
        ),
        (
            "revenuecat-transactions", "csv",
            [
                "receipt.listed", "receipt.listed", "renewal.turnedOff", "cancellation.refunded",
            ]
        ),
        (
            "superwall-webhooks", "jsonl",
            [
                "renewal.started", "renewal.renewed", "renewal.planChanged",
                "cancellation.refunded",
            ]
        ),
        (
            "adapty-webhooks", "jsonl",
            ["renewal.started", "renewal.turnedOff", "renewal.expired"]
        ),
        (
            "qonversion-webhooks", "jsonl",
            ["renewal.started", "renewal.renewed", "cancellation.refunded"]
        ),
        (
            "postgres-grants", "csv",
            ["delivery.delivered", "delivery.delivered", "delivery.withdrawn"]
        ),
    ]

    @Test(arguments: all.map(\.name))
    func `a mapping turns its sample into events`(name: String) throws {
        let (_, ending, types) = try #require(Self.all.first { $0.name == name })
        let json = try Data(contentsOf: Self.folder.appending(path: "\(name).json"))
        let sample = try Data(
            contentsOf: Self.folder.appending(path: "samples/\(name).\(ending)"))
        let mapping = try RowMapping(json: Array(json))
        let file = ImportFile(name: "\(name).\(ending)", bytes: Array(sample))
        let result = try importedRows([file], mapping)
        #expect(result.events.dropFirst().map(\.type.wireName) == types)
        #expect(result.isComplete, "\(result.printed)")
        let accounts = Set(result.events.dropFirst().compactMap { $0.account?.name })
        #expect(accounts.contains("6f1c2b1e-3d47-4a90-8c55-2b7e90d1f3a8"))
        for case .receiptListed(let row) in result.events.map(\.fact) {
            #expect([4_490, 0].contains(row.price))
        }
        for case .renewalStarted(let period) in result.events.map(\.fact) {
            #expect(period.price == 4_990)
        }
    }

    @Test func `every file of the folder is tested`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path())
        #expect(
            names.filter { $0.hasSuffix(".json") }.sorted()
                == Self.all.map { "\($0.name).json" }.sorted())
    }

    private func rows(_ text: String, _ mapping: String) throws -> ImportResult {
        try importedRows([("a.csv", text)], try RowMapping(json: Array(mapping.utf8)))
    }

    @Test func `filled and empty cells are conditions`() throws {
        let mapping =
            #"{"columns":{"at":"at","transaction":"tx"},"events":["#
            + #"{"type":"delivery.delivered","where":{"gone":""}},"#
            + #"{"type":"delivery.withdrawn","unless":{"gone":""},"set":{"reason":"other"}}]}"#
        let result = try rows("at,tx,gone\n1,a,\n2,b,x\n3,c,NULL\n4,d,\\N\n", mapping)
        #expect(
            result.events.dropFirst().map(\.type) == [
                .deliveryDelivered, .deliveryWithdrawn, .deliveryDelivered, .deliveryDelivered,
            ])
    }

    @Test func `a key below keys is a column, unless the object has the whole name`() throws {
        let mapping = try RowMapping(
            json: Array(
                #"{"events":[{"type":"delivery.delivered","columns":"#
                    .appending(#"{"at":"a.at","transaction":"a.b.tx","quantity":"a.n"}}]}"#).utf8))
        let text =
            #"{"a":{"at":1,"b":{"tx":"t1"},"n":null}}"# + "\n"
            + #"{"a.at":2,"a":{"b":{"tx":"t2"},"n":3}}"# + "\n"
        let result = try importedRows([("a.jsonl", text)], mapping)
        #expect(result.delivered == ["t1", "t2"] && result.isComplete, "\(result.printed)")
        let wrong = try importedRows([("a.jsonl", #"{"a":{"at":1,"b":{"tx":[]}}}"#)], mapping)
        #expect(wrong.printed.first?.contains("a.b.tx: expected a text or a number") == true)
    }

    @Test func `a log of rows of a test environment says so at its beginning`() throws {
        let mapping =
            #"{"columns":{"at":"at","transaction":"tx"},"set":{"environment":"Sandbox"},"#
            + #""events":[{"type":"delivery.delivered"}]}"#
        let result = try rows("at,tx\n1,a\n", mapping)
        #expect(result.events.map(\.environment) == [.sandbox, .sandbox])
    }
}
