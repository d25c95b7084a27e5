/// What a power loss does to data that wasn't synced.
package enum CrashKind: String, CaseIterable, Sendable {
    /// Everything survives: only the process died.
    case kept
    /// Everything is lost.
    case lost
    /// The data ends at a sector boundary.
    case torn
    /// The size survives, but bytes after a sector boundary are zero.
    case zeroed
    /// Each sector and each name survives or not, in any combination.
    case reordered

    /// The number of bytes that a disk writes atomically.
    static let sector = 512
}

extension FileImage {
    /// One possible state after a crash.
    package func after(_ crash: CrashKind, _ dice: inout Dice) -> FileImage {
        var image = self
        image.forgetCalls()
        if crash == .kept {
            image.restart(losing: false)
            return image
        }
        var kept = syncedNames
        let count = dice.below(renamings.count + 1)
        for (number, changes) in renamings.enumerated() {
            let isThere =
                switch crash {
                case .kept: true
                case .lost: false
                case .torn, .zeroed: number < count
                case .reordered: dice.below(2) == 0
                }
            if isThere { for change in changes { kept[change.name] = change.node } }
        }
        for (number, node) in nodes.sorted(by: { $0.key < $1.key }) {
            image.nodes[number]?.synced = node.bytes(after: crash, &dice)
        }
        image.syncedNames = kept
        image.restart(losing: true)
        return image
    }
}

extension FileImage.Node {
    fileprivate func bytes(after crash: CrashKind, _ dice: inout Dice) -> [UInt8] {
        var whole = self
        whole.sync()
        let new = whole.synced
        guard new != synced else { return synced }
        switch crash {
        case .kept: return new
        case .lost: return synced
        case .torn:
            guard new.count > synced.count else { return dice.below(2) == 0 ? new : synced }
            return Array(new.prefix(end(synced.count, new.count, &dice)))
        case .zeroed:
            guard new.count > synced.count else { return dice.below(2) == 0 ? new : synced }
            let end = end(synced.count, new.count, &dice)
            return new.prefix(end) + [UInt8](repeating: 0, count: new.count - end)
        case .reordered:
            var bytes = synced
            let size = dice.below(3) == 0 ? synced.count : new.count
            bytes.removeLast(max(0, bytes.count - size))
            bytes += [UInt8](repeating: 0, count: size - bytes.count)
            for start in stride(from: 0, to: size, by: CrashKind.sector) where dice.below(2) == 0 {
                let end = min(start + CrashKind.sector, size)
                for place in start..<end where place < new.count { bytes[place] = new[place] }
            }
            return bytes
        }
    }

    /// A random sector boundary among the unsynced bytes, or their start or end.
    private func end(_ synced: Int, _ new: Int, _ dice: inout Dice) -> Int {
        let first = synced / CrashKind.sector + 1
        let last = (new + CrashKind.sector - 1) / CrashKind.sector
        let sector = first - 1 + dice.below(last - first + 2)
        return min(new, max(synced, sector * CrashKind.sector))
    }
}
