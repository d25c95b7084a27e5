import PurchaseEvents

/// Verifies logs by their chains.
struct ChainRun {
    let session: ToolSession
    let threads: Int?

    func check(
        _ log: InputLog, expecting expectation: ChainExpectation = .init()
    ) throws -> ChainCheck {
        let verifier = ChainVerifier(expecting: expectation, threads: threads ?? session.host.cores)
        let progress = Progress(session, [log])
        var places = LinePlaces()
        for part in log.parts where !verifier.isAtDamage {
            places.begin(part.path, at: verifier.nextLine)
            try ToolError.reading(part.path) {
                try verifier.read(part.source()) { progress?.show($0) }
            }
        }
        progress?.finish(LineCounts())
        return ChainCheck(
            verdict: verifier.finish(), chain: verifier.chain, origin: verifier.origin,
            lineOfExpectedHead: verifier.lineOfExpectedHead, expectation: expectation,
            name: log.name, places: places)
    }
}

/// The verdict on a log, with its wording.
struct ChainCheck {
    let verdict: ChainVerdict
    let chain: Chain
    let origin: String?
    let lineOfExpectedHead: Int?
    let expectation: ChainExpectation
    let name: String
    let places: LinePlaces

    var status: ToolStatus {
        switch verdict {
        case .intact: .well
        case .damaged, .rolledBack: .violated
        case .torn, .unchained: .undetermined
        }
    }

    /// The verdict in one line: the place and the reason.
    func line(_ style: Style) -> String {
        let word = style.verdict(verdict.word, status != .well)
        switch verdict {
        case .intact: return "\(named(style)) \(word): \(intact)"
        case .torn(let line):
            return "\(at(line, style)) \(word): the log ends within this line; \(before)"
        case .damaged(let line, let problem):
            return "\(at(line, style)) \(word): \(problem); \(before)"
        case .rolledBack(let rollback): return "\(named(style)) \(word): \(words(rollback))"
        case .unchained:
            return "\(named(style)) \(word): no line carries a chain value, so nothing shows "
                + "whether the log was changed"
        }
    }

    private func named(_ style: Style) -> String { style.strong("\(name.escaped):") }

    private func at(_ line: Int, _ style: Style) -> String {
        let place = places.place(of: line)
        return style.strong("\(place.path.escaped):\(place.line):")
    }

    private var intact: String {
        var parts = ["\(chain.lines.counted("line")), head \(chain.head)"]
        if let checkpoint = expectation.checkpoint {
            parts.append(since(checkpoint.lines, "the checkpoint"))
        }
        if let line = lineOfExpectedHead { parts.append(since(line, "the expected head")) }
        return parts.joined(separator: "; ")
    }

    /// The number of lines appended after a known line, in words.
    private func since(_ line: Int, _ what: String) -> String {
        let more = chain.lines - line
        return more == 0
            ? "nothing was appended since \(what)"
            : "\(more.counted("line")) appended since \(what), at line " + line.grouped
    }

    private var before: String {
        switch chain.lines {
        case 0: "it is the first line"
        case 1: "the line before it is intact"
        case let lines: "the \(lines.grouped) lines before it are intact"
        }
    }

    private func words(_ rollback: ChainVerdict.Rollback) -> String {
        let lines = (expectation.checkpoint?.lines ?? 0).grouped
        switch rollback {
        case .shorter:
            return "expected at least the \(lines) lines of the checkpoint, seen "
                + chain.lines.grouped
        case .otherHead:
            let head = expectation.checkpoint?.head.hex ?? ""
            return "expected the chain value \(head) of the checkpoint in line \(lines), seen "
                + "another: the lines up to there were rewritten"
        case .otherOrigin:
            let expected = EscapedText.escape(expectation.checkpoint?.origin ?? "")
            return "expected the log of `\(expected)`, seen that of `\(origin ?? "nothing")`"
        case .noSuchHead:
            return "expected a line with the chain value \(expectation.head?.hex ?? ""), seen none "
                + "in \(chain.lines.counted("line"))"
        case .unchained: return "expected a chained log, seen no line that carries a chain value"
        }
    }
}
