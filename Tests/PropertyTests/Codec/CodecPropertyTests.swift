import Testing

@testable import PurchaseEvents
import PurchaseSimulation

struct CodecPropertyTests {
    @Test func `written lines are read back unchanged, byte for byte`() {
        expectHolds("written lines are read back unchanged") { trial in
            let history = try History(trial.choices)
            trial.show(history.log)
            let decoder = LineDecoder()
            for (written, event) in zip(history.log.lines, history.events) {
                let line = try LineWriter.line(of: event)
                if line != Array(written) { return "seq \(event.seq) is not canonical" }
                guard case .event(let read) = line.withUnsafeBytes({ decoder.decodeWritten($0) })
                else { return "seq \(event.seq) was not understood" }
                if read != event { return "seq \(event.seq) was read as another event" }
            }
            return nil
        }
    }

    @Test func `both paths of the decoder agree on changed lines`() {
        let names = NameTable()
        let quick = LineDecoder(names: names), careful = LineDecoder(names: names)
        expectHolds("both paths of the decoder agree") { trial in
            let log = try GeneratedLog(trial.choices, upTo: 40)
            guard var line = log.lines.last.map(Array.init) else { return nil }
            for _ in 0...trial.choices.choose(below: 3) { mutate(&line, trial.choices) }
            trial.show(lines: [String(decoding: line, as: UTF8.self)])
            return line.withUnsafeBytes { bytes in
                let agree =
                    quick.decode(bytes) == careful.decodeCarefully(bytes)
                    && quick.notes == careful.notes
                return agree ? nil : "they say different things"
            }
        }
    }

    /// Any change of one byte gives an event or a diagnostic; the test is that decoding returns.
    @Test func `every change of one byte is an event or a diagnostic`() {
        expectHolds(
            "every change of one byte is an event or a diagnostic", cases: propertyCases / 25
        ) {
            trial in
            let log = try GeneratedLog(trial.choices, upTo: 40)
            guard var line = log.lines.last.map(Array.init) else { return nil }
            let decoder = LineDecoder()
            for place in line.indices {
                let was = line[place]
                for bit in 0..<8 as Range<UInt8> {
                    line[place] = was ^ (1 << bit)
                    switch line.withUnsafeBytes({ decoder.decode($0) }) {
                    case .event: trial.count("event")
                    case .notUnderstood: trial.count("diagnostic")
                    case .blank: return "byte \(place) makes the line blank"
                    }
                }
                line[place] = was
            }
            return nil
        }
    }

    /// Tries every value of one random byte per case.
    @Test func `every value of a byte is an event or a diagnostic`() {
        expectHolds("every value of a byte is an event or a diagnostic") { trial in
            let log = try GeneratedLog(trial.choices, upTo: 24)
            guard var line = log.lines.last.map(Array.init) else { return nil }
            let place = Int(trial.choices.choose(below: Int64(line.count)))
            let decoder = LineDecoder()
            for value in 0...255 as ClosedRange<UInt8> {
                line[place] = value
                if case .blank = line.withUnsafeBytes({ decoder.decode($0) }) {
                    return "byte \(place) as \(value) makes the line blank"
                }
            }
            return nil
        }
    }

    private func mutate(_ line: inout [UInt8], _ choices: any ChoiceSource) {
        let splices = [
            "\"", "\\", "\\u0041", ",", ":", "{", "}", "[", " ", "\r", "0", "-", "1.5", "é",
        ]
        let place = Int(choices.choose(below: Int64(line.count + 1)))
        let end = min(line.count, place + Int(choices.choose(below: 8)))
        switch choices.choose(below: 4) {
        case 0: line.insert(contentsOf: Array(choices.pick(splices).utf8), at: place)
        case 1: line.removeSubrange(place..<end)
        case 2: line.replaceSubrange(place..<end, with: Array(choices.pick(splices).utf8))
        case _: if place < line.count { line[place] = UInt8(choices.choose(below: 256)) }
        }
    }
}
