import Foundation
import Testing

@testable import PurchaseEvents

struct RoundTripTests {
    @Test(arguments: EventType.allCases)
    func `an event is written exactly as it was read`(_ type: EventType) throws {
        for sample in LineSample.all(type) {
            let decoded = Decoded(sample.text)
            guard let event = decoded.event else {
                Issue.record("\(sample): \(decoded.line)")
                continue
            }
            #expect(event.type == type)
            #expect(decoded.notes.isEmpty)
            let line = try LineWriter.line(of: event)
            #expect(String(decoding: line, as: UTF8.self) == sample.text)
            #expect(Decoded(line).event == event)
        }
    }

    @Test(arguments: EventType.allCases)
    func `different samples of one type decode differently`(_ type: EventType) throws {
        let samples = Dictionary(grouping: LineSample.all(type), by: \.text)
        let events = samples.keys.compactMap { Decoded($0).event }
        #expect(Set(events).count == samples.count)
    }

    @Test(arguments: EventType.allCases)
    func `handles represent the same names as strings`(_ type: EventType) {
        let decoder = LineDecoder()
        for sample in LineSample.all(type) {
            let bytes = Array(sample.text.utf8)
            let interned = bytes.withUnsafeBytes { decoder.decode($0) }
            let spelled = Rendering(names: decoder.names, line: bytes)
            guard case .event(let event) = interned, let written = Decoded(bytes).event else {
                Issue.record("\(sample)")
                continue
            }
            #expect(spelled.render(event) == spelled.render(written))
        }
    }

    @Test func `texts and names with escapes are equal in both spellings`() {
        let text =
            #"{"seq":1,"at":"2026-02-20T09:00:00Z","type":"log.opened","schema":1,"#
            + #""app":"a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é","id":"i\u0064","account":"\u0041é"}"#
        let decoder = LineDecoder()
        let bytes = Array(text.utf8)
        let interned = bytes.withUnsafeBytes { decoder.decode($0) }
        guard case .event(let event) = interned, let written = Decoded(bytes).event else {
            Issue.record("\(interned)")
            return
        }
        let spelled = Rendering(names: decoder.names, line: bytes)
        #expect(spelled.render(event) == spelled.render(written))
        #expect(written.account?.name == "Aé")
        #expect(written.id == "id")
        guard case .logOpened(let opened) = written.fact else { return }
        #expect(opened.app == "a\"\\/\u{8}\u{C}\n\r\té😀é")
    }

    @Test func `the content is the line without seq and at`() throws {
        for sample in EventType.allCases.map(LineSample.full) {
            let event = try #require(Decoded(sample.text).event)
            let content = try LineWriter.content(of: event)
            let start = try #require(sample.text.range(of: "\"type\""))
            #expect(
                String(decoding: content, as: UTF8.self) == "{" + sample.text[start.lowerBound...]
            )
        }
    }
}

/// Renders an event as text, for any spelling of its names.
private struct Rendering {
    let names: NameTable
    let line: [UInt8]

    func render(_ value: Any) -> String {
        switch value {
        case let name as any Named: return name.text(names)
        case let packed as any PackedValue: return render(packed.value as Any)
        case let id as String: return id
        case let id as Fingerprint: return "\(id)"
        case let span as TextSpan: return text(span)
        case let event as Event<Written>:
            let id = event.id.map { names.fingerprint(of: $0) }
            return members(event).replacing(
                "id: \(render(event.id as Any))", with: "id: \(render(id as Any))")
        case _: return members(value)
        }
    }

    private func members(_ value: Any) -> String {
        let children = Mirror(reflecting: value).children
        if children.isEmpty { return "\(value)" }
        return "("
            + children.map { "\($0.label ?? ""): \(render($0.value))" }.joined(separator: ", ")
            + ")"
    }

    private func text(_ span: TextSpan) -> String {
        let bytes = line[Int(span.start)..<Int(span.start + span.count)]
        let list = Data(Array("[\"".utf8) + bytes + Array("\"]".utf8))
        let texts = (try? JSONSerialization.jsonObject(with: list)) as? [String]
        return texts?.first ?? "no text"
    }
}

private protocol PackedValue {
    associatedtype Value
    var value: Value? { get }
}

extension Packed: PackedValue {
    fileprivate var value: Value? { wrappedValue }
}

private protocol Named {
    func text(_ names: NameTable) -> String
}

extension Identifier: Named {
    fileprivate func text(_ names: NameTable) -> String {
        if let handle = name as? Handle {
            return names.text(of: Identifier<Role, Interned>(handle))
        }
        return "\(name)"
    }
}
