import Foundation
import PurchaseEvents
import PurchaseImport
import TestSigning

// Prints a webhook's capture: so many notifications of version 2, each with a signed transaction
// and a signed renewal info, one body a line. The root that signs them is written to a file.
//
//   make-capture NOTIFICATIONS ROOT-FILE

let arguments = CommandLine.arguments
guard arguments.count == 3, let count = Int(arguments[1]), count > 0 else {
    FileHandle.standardError.write(Data("usage: make-capture NOTIFICATIONS ROOT-FILE\n".utf8))
    exit(64)
}
let chain = TestChain.payload
let header = chain.header()
let start: Int64 = 1_772_323_200_000
try Data(chain.certificates[2]).write(to: URL(filePath: arguments[2]))

/// The body of one notification.
func body(_ number: Int) -> String {
    let signed = start + Int64(number) * 20_000
    let (line, period) = (number % 20_000, number / 20_000)
    let purchased = start + Int64(period) * 2_592_000_000
    let common = #""environment":"Production","signedDate":\#(signed)"#
    let transaction = chain.jws(
        #"{"transactionId":"2000\#(number)","originalTransactionId":"1000\#(line)","#
            + #""bundleId":"com.example.app","productId":"monthly","#
            + #""subscriptionGroupIdentifier":"g","purchaseDate":\#(purchased),"#
            + #""expiresDate":\#(purchased + 2_592_000_000),"quantity":1,"#
            + #""type":"Auto-Renewable Subscription","inAppOwnershipType":"PURCHASED","#
            + #""price":4990,"currency":"EUR",\#(common)}"#, header: header)
    let renewal = chain.jws(
        #"{"originalTransactionId":"1000\#(line)","productId":"monthly","#
            + #""autoRenewProductId":"monthly","autoRenewStatus":1,\#(common)}"#, header: header)
    let payload = chain.jws(
        #"{"notificationType":"DID_RENEW","notificationUUID":"n\#(number)","version":"2.0","#
            + #""signedDate":\#(signed),"data":{"environment":"Production","#
            + #""bundleId":"com.example.app","signedTransactionInfo":"\#(transaction)","#
            + #""signedRenewalInfo":"\#(renewal)","status":1}}"#, header: header)
    return #"{"signedPayload":"\#(payload)"}"# + "\n"
}

let portion = 256
for first in stride(from: 0, to: count, by: portion) {
    let numbers = Array(first..<min(first + portion, count))
    let threads = ProcessInfo.processInfo.activeProcessorCount
    let bodies = concurrentMap(numbers.count, threads: threads) { body(numbers[$0]) }
    try FileHandle.standardOutput.write(contentsOf: Data(bodies.joined().utf8))
}
