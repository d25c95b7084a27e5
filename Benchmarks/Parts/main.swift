import Foundation

/// Times parts of the libraries in one process: `benchmark parts LOG [EVENTS]`, `benchmark
/// appends FOLDER [EVENTS]`, `benchmark ledger FOLDER [EVENTS]`, `benchmark opening LOG` and
/// `benchmark signatures`.
let arguments = Array(CommandLine.arguments.dropFirst())
let usage = """
    usage: benchmark parts LOG [EVENTS]       ns per event: decoding, facts, projections, rules
           benchmark appends FOLDER [EVENTS]  durable appends per second, in a new log
           benchmark ledger FOLDER [EVENTS]   durable calls per second of a ledger
           benchmark opening LOG              seconds to open a ledger, whole and from a snapshot
           benchmark signatures               verifications per second, of each kind

    """

do {
    let count = arguments.count > 2 ? Int(arguments[2]) : nil
    switch (arguments.first, arguments.count) {
    case ("parts", 2...3): try PartTimes(log: arguments[1], events: count ?? 200_000).print()
    case ("appends", 2...3):
        try await AppendTimes(folder: arguments[1], events: count ?? 2_000).print()
    case ("ledger", 2...3):
        try await LedgerTimes(folder: arguments[1], events: count ?? 4_000).print()
    case ("opening", 2): try OpeningTimes(log: arguments[1]).print()
    case ("signatures", 1): try SignatureTimes().print()
    default:
        FileHandle.standardError.write(Data(usage.utf8))
        exit(64)
    }
} catch {
    FileHandle.standardError.write(Data("benchmark: \(error)\n".utf8))
    exit(74)
}
