import Foundation
import PurchaseEvents
import PurchaseProjections
import TestSupport

/// Which rules notice which mutations of the valid logs.
struct MutationMatrix: Sendable {
    /// Mutants of one mutation at the events of one type.
    struct Cell: Sendable {
        var mutants = 0
        /// The numbers noticed as an error or warning, and only as a note.
        var noticed = 0, noted = 0
        /// Unnoticed, without a change in any projection.
        var idle = 0
        /// Unnoticed, with a change in a projection.
        var unnoticed = 0
        /// The places of the last two, as `sample:line`.
        var idlePlaces: [String] = [], places: [String] = []
    }

    /// How often a rule noticed a mutation.
    struct Kills: Sendable {
        var grave = 0, notes = 0
    }

    /// The cells by mutation and type of the mutated event.
    var cells: [Pair: Cell] = [:]
    /// The kills by mutation and rule.
    var kills: [Pair: Kills] = [:]
    /// Errors and warnings on the unchanged samples.
    var falseFindings: [String] = []
    /// Mutants with a line that was not understood, which is a fault of the mutation.
    var misunderstood: [String] = []

    struct Pair: Hashable, Sendable {
        var mutation: Int
        var other: Int
    }

    /// The matrix of every mutation at every place of the logs of a folder.
    static func build(_ files: [URL]) async throws -> MutationMatrix {
        try await build(
            files.map {
                ($0.deletingPathExtension().lastPathComponent, try Folders.bytes(of: $0))
            })
    }

    /// The matrix of every mutation at every place of logs with names.
    static func build(_ logs: [(name: String, bytes: [UInt8])]) async throws -> MutationMatrix {
        // Longest first, so that none is left for a single core at the end.
        let logs = logs.sorted { $0.bytes.count > $1.bytes.count }
        return try await withThrowingTaskGroup(of: MutationMatrix.self) { group in
            for (name, bytes) in logs {
                group.addTask { try MutationMatrix(name, bytes) }
            }
            return try await group.reduce(into: MutationMatrix()) { $0.add($1) }
        }
    }

    private init() {}

    private init(_ sample: String, _ bytes: [UInt8]) throws {
        let decoder = LineDecoder()
        let log = try bytes.split(separator: 0x0A).compactMap { line in
            try decoder.event(on: line).map { try MutableRow($0) }
        }
        let fold = try SampleFold(log)
        let valid = try fold.counts(of: log)
        falseFindings = valid.findings.map { "\(sample): \($0.line) [\($0.rule)] \($0.message)" }
        for (number, mutation) in Mutation.all.enumerated() {
            // Counts from the first place, so each mutation is tried at least once in each log that
            // has a place for it.
            var places = 0
            for index in log.indices {
                let mutants = mutation.mutants(log, index).filter { $0 != log }
                if !mutants.isEmpty { places += 1 }
                guard Effort.isWhole || places % 40 == 1 else { continue }
                for mutant in mutants {
                    let counts = try fold.counts(of: mutant)
                    if counts.isMisunderstood {
                        misunderstood.append("\(mutation.name): \(sample)")
                    }
                    add(
                        counts, valid, number, log[index].type, "\(sample):\(index + 1)",
                        isIdle: { fold.isIdle(counts) })
                }
            }
        }
    }

    private mutating func add(
        _ counts: SampleFold.Counts, _ valid: SampleFold.Counts, _ mutation: Int,
        _ type: EventType, _ place: String, isIdle: () -> Bool
    ) {
        var isNoticed = false, isNoted = false
        for rule in counts.grave.indices {
            let pair = Pair(mutation: mutation, other: rule)
            if counts.grave[rule] > valid.grave[rule] {
                isNoticed = true
                kills[pair, default: Kills()].grave += 1
            } else if counts.notes[rule] > valid.notes[rule] {
                isNoted = true
                kills[pair, default: Kills()].notes += 1
            }
        }
        let pair = Pair(mutation: mutation, other: Int(type.rawValue))
        cells[pair, default: Cell()].mutants += 1
        if isNoticed {
            cells[pair, default: Cell()].noticed += 1
        } else if isNoted {
            cells[pair, default: Cell()].noted += 1
        } else if isIdle() {
            cells[pair, default: Cell()].idle += 1
            cells[pair, default: Cell()].idlePlaces.append(place)
        } else {
            cells[pair, default: Cell()].unnoticed += 1
            cells[pair, default: Cell()].places.append(place)
        }
    }

    private mutating func add(_ other: MutationMatrix) {
        cells.merge(other.cells) { $0.adding($1) }
        kills.merge(other.kills) { left, right in
            Kills(grave: left.grave + right.grave, notes: left.notes + right.notes)
        }
        falseFindings += other.falseFindings
        misunderstood += other.misunderstood
    }
}

extension MutationMatrix.Cell {
    func adding(_ other: MutationMatrix.Cell) -> MutationMatrix.Cell {
        MutationMatrix.Cell(
            mutants: mutants + other.mutants, noticed: noticed + other.noticed,
            noted: noted + other.noted, idle: idle + other.idle,
            unnoticed: unnoticed + other.unnoticed,
            idlePlaces: (idlePlaces + other.idlePlaces).sorted(),
            places: (places + other.places).sorted())
    }
}
