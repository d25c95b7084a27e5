import PurchaseIncidents
import Testing

@Test func `a purchase that was finished undelivered is found`() throws {
    let log = LogLines(
        text: #"""
            {"seq":1,"at":"2026-01-01T00:00:00.000Z","type":"log.opened","schema":1}
            {"seq":2,"at":"2026-01-01T00:00:02.000Z","type":"queue.purchased","transaction":"4700010518829325","product":"com.example.reader.pro","purchasedAt":"2026-01-01T00:00:01.000Z"}
            {"seq":3,"at":"2026-01-01T00:00:03.000Z","type":"delivery.persisted","transaction":"4700010518829325","store":"receipt"}
            {"seq":4,"at":"2026-01-01T00:00:04.000Z","type":"queue.finished","transaction":"4700010518829325"}
            """#)
    let expected = [
        #"{"rule":"finished-implies-delivered","level":"error","line":4,"key":"4700010518829325"}"#,
        #"{"show":"entitlements","product":"com.example.reader.pro","active":true,"from":"2026-01-01T00:00:01.000Z","because":"purchase","transaction":"4700010518829325","original":"4700010518829325","granted":false}"#,
        #"{"show":"restores","product":"com.example.reader.pro","original":"4700010518829325","by":"system","state":"held"}"#,
        #"{"show":"receipt","transaction":"4700010518829325","original":"4700010518829325","product":"com.example.reader.pro","purchasedAt":"2026-01-01T00:00:01.000Z"}"#,
        #"{"show":"accounts","transactions":1,"irregular":false}"#,
    ]
    let answers = try log.answers()
    Attachment.record(log.bytes, named: "log.jsonl")
    Attachment.record(answers.joined(separator: "\n"), named: "answers.jsonl")
    #expect(answers == expected)
}
