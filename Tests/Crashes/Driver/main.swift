import PurchaseEvents

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

// The program that the scripts in this folder run: a writer that prints each acknowledged text at
// once, and readers that print what they see.

/// The command line: a command, a log, and options.
struct Request {
    let word: String
    let log: String
    private var options: [String: String] = [:]

    init?(_ arguments: [String]) {
        guard arguments.count >= 3 else { return nil }
        word = arguments[1]
        log = arguments[2]
        for argument in arguments.dropFirst(3) {
            let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1)
            options[parts.first.map { String($0) } ?? ""] =
                parts.count > 1 ? String(parts[1]) : "yes"
        }
    }

    func number(_ name: String, _ defaultValue: Int) -> Int {
        options[name].flatMap { Int($0) } ?? defaultValue
    }
    func text(_ name: String) -> String { options[name] ?? "" }
    func has(_ name: String) -> Bool { options[name] != nil }
    var durability: Durability { has("process") ? .process : .disk }
    var layout: LogLayout {
        options["segments"].flatMap { Int64($0) }.map { .segments(size: $0) } ?? .file
    }
}

/// Prints a line to standard output in a single call, so that a kill can't lose an earlier line.
func emit(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    let count = write(STDOUT_FILENO, bytes, bytes.count)
    if count != bytes.count { exit(74) }
}

let time = Timestamp(milliseconds: 1_771_578_000_000)

func draft(_ text: String) -> Draft { Draft(at: time, id: text, .logNoted(text: text)) }

func openOrCreate(_ request: Request) throws -> EventLog {
    do {
        return try EventLog.open(
            at: request.log, durability: request.durability, tornTail: .cut(recordedAt: time),
            segmentSize: Int64(request.number("segments", 1 << 26)))
    } catch EventLogError.noSuchLog, EventLogError.empty {
    } catch EventLogError.notARegularFile(_, seen: .folder) where request.layout != .file {
    }
    return try EventLog.create(
        at: request.log, recordedAt: time, durability: request.durability,
        layout: request.layout, chained: !request.has("unchained"))
}

/// Appends a batch. If its sync fails and `recovers` is set, the log recovers, which appends the
/// batch again.
func append(_ drafts: [Draft], to log: EventLog, recovers: Bool) throws {
    let answer = Result { try log.append(drafts) }
    if case .failure(EventLogError.syncFailed) = answer, recovers {
        try log.recover()
    } else {
        _ = try answer.get()
    }
}

/// Appends texts one after another and prints each acknowledged text.
func append(_ request: Request) throws {
    let log = try openOrCreate(request)
    if let damage = log.openingReport.damage { return emit("damaged: \(damage)") }
    emit("open")
    let first = request.number("from", 0), batch = request.number("batch", 1)
    for start in stride(from: first, to: first + request.number("events", 10), by: batch) {
        let texts = (start..<start + batch).map { "text \($0)" }
        // The control of the scripts: a writer that acknowledges before it appends.
        if request.has("early") { for text in texts { emit(text) } }
        try append(texts.map(draft), to: log, recovers: request.has("recover"))
        if !request.has("early") { for text in texts { emit(text) } }
    }
    emit("done")
}

/// Appends the events of another log, those that this one doesn't have yet, at a random pace.
func copy(_ request: Request) throws {
    let log = try openOrCreate(request)
    if let damage = log.openingReport.damage { return emit("damaged: \(damage)") }
    var left = 0
    let own = try log.read()
    while let entry = try own.next() {
        if let type = entry.event?.type, type != .logOpened, type != .logRecovered { left += 1 }
    }
    let source = try EventReader(at: request.text("source"))
    var drafts: [Draft] = []
    while let entry = try source.next() {
        guard let event = entry.event, event.type != .logOpened else { continue }
        left -= 1
        guard left < 0 else { continue }
        drafts.append(Draft(event))
        guard drafts.count > Int.random(in: 0..<request.number("batch", 40)) else { continue }
        try log.append(drafts)
        drafts = []
        usleep(UInt32.random(in: 0..<UInt32(request.number("pause", 20_000))))
    }
    try log.append(drafts)
    emit("done")
}

/// Takes turns with other processes: opens the log when no other process has it, and appends a few
/// events.
func take(_ request: Request) throws {
    let name = request.number("name", 0)
    var next = 0
    while next < request.number("events", 100) {
        do {
            let log = try openOrCreate(request)
            for _ in 0..<request.number("turn", 5) {
                try log.append(draft("\(name) \(next)"))
                next += 1
            }
            log.close()
        } catch EventLogError.inUse {
        } catch EventLogError.alreadyExists {
        }
        usleep(UInt32(200 + (next * 37 + name * 101) % 300))
    }
    emit("done \(next)")
}

/// Prints every text of a log, and reports damaged lines and gaps.
func read(_ request: Request) throws {
    let report = try EventLog.inspect(at: request.log)
    if let damage = report.damage { emit("damaged: \(damage)") }
    let reader = try EventReader(at: request.log)
    var seq: Int64 = 1
    while let entry = try reader.next() {
        guard let event = entry.event else {
            emit("not understood: line \(entry.position.line)")
            continue
        }
        if event.seq != seq { emit("gap: line \(entry.position.line)") }
        seq += 1
        if case .logNoted(let text) = event.fact { emit(text) }
    }
}

/// Follows a log up to a number of events, and reports whether each event was the expected one.
func follow(_ request: Request) async throws {
    let follower = LogFollower(
        at: request.log, every: .milliseconds(1), clock: ContinuousClock())
    var seq: Int64 = 1
    for try await entry in follower {
        guard let event = entry.event, event.seq == seq else {
            return emit("line \(entry.position.line): not the next event")
        }
        if seq == Int64(request.number("events", 100)) { return emit("followed \(seq)") }
        seq += 1
    }
}

guard let request = Request(CommandLine.arguments) else {
    emit("usage: log-driver write|copy|take|read|follow LOG [--name=value]…")
    exit(64)
}
do {
    switch request.word {
    case "write": try append(request)
    case "copy": try copy(request)
    case "take": try take(request)
    case "read": try read(request)
    case "follow": try await follow(request)
    default: exit(64)
    }
} catch {
    emit("error: \(error)")
    exit(1)
}
