import PurchaseEvents
import PurchaseProjections

/// The matrix as a golden file.
extension MutationMatrix {
    var text: String {
        var lines = [
            "Which rule notices which mutation of the valid logs, and which mutants none notices.",
            "A rule notices a mutant where it finds more at error or warning level than in the log",
            "as it was; +N are mutants of which it only makes a note more. An idle mutant is one",
            "that no rule notices and that changes nothing that any projection shows. Of the other",
            "unnoticed ones each line says why they harm nobody.", "",
        ]
        let all = cells.values.reduce(Cell()) { $0.adding($1) }
        lines.append("all: \(all.text)")
        for (number, mutation) in Mutation.all.enumerated() {
            let row = cells(of: number)
            let sum = row.reduce(Cell()) { $0.adding($1.cell) }
            lines += ["", "\(mutation.name): \(sum.text)"]
            for (index, rule) in RuleCatalogue.all.enumerated() {
                guard let kill = kills[Pair(mutation: number, other: index)] else { continue }
                lines.append("  \(rule.id) \(kill.text) of \(sum.mutants)")
            }
            for (type, cell) in row where cell.unnoticed > 0 {
                let reason = MutationReason.of(mutation.name, type).first?.reason ?? "no reason"
                lines.append(
                    "  - \(type.wireName): \(cell.unnoticed) of \(cell.mutants): \(reason)")
            }
        }
        lines += ["", "By rule:"]
        for (index, rule) in RuleCatalogue.all.enumerated() {
            let own = kills.filter { $0.key.other == index }
            let sum = own.values.reduce(into: Kills()) {
                $0.grave += $1.grave
                $0.notes += $1.notes
            }
            lines.append(
                "  \(rule.id) (\(rule.level.rawValue)): \(sum.text), \(own.count) mutations")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The cells of a mutation, in type order.
    func cells(of mutation: Int) -> [(type: EventType, cell: Cell)] {
        EventType.allCases.compactMap { type in
            cells[Pair(mutation: mutation, other: Int(type.rawValue))].map { (type, $0) }
        }
    }

    /// The number of mutants that a rule notices above the level of a note, or at its own level.
    func kills(of rule: Int, level: Level) -> Int {
        kills.filter { $0.key.other == rule }.values.reduce(0) {
            $0 + (level == .note ? $1.notes : $1.grave)
        }
    }
}

extension MutationMatrix.Cell {
    fileprivate var text: String {
        "\(mutants) mutants, \(noticed) noticed, \(noted) by notes only, \(idle) idle, "
            + "\(unnoticed) unnoticed"
    }
}

extension MutationMatrix.Kills {
    fileprivate var text: String { notes == 0 ? "\(grave)" : "\(grave) +\(notes)" }
}
