import Dispatch

/// What `work` gives for each index below `count`, in their order, on so many threads.
///
/// Indices are handed out to the threads as they ask, so long pieces and short ones may mix. With
/// one thread the work is done where it is asked for.
///
/// - Precondition: pieces of work change nothing that another one reads.
package func concurrentMap<Result>(
    _ count: Int, threads: Int, _ work: (Int) -> Result
) -> [Result] {
    guard threads > 1, count > 1 else { return (0..<count).map(work) }
    let next = Protected(0)
    return withoutActuallyEscaping(work) { work in
        // Each place is written to by one thread, and read when all have ended.
        nonisolated(unsafe) let work = work
        nonisolated(unsafe) let results = UnsafeMutableBufferPointer<Result>.allocate(
            capacity: count)
        defer { results.deallocate() }
        DispatchQueue.concurrentPerform(iterations: min(threads, count)) { _ in
            while true {
                let index = next.withLock { next in
                    next += 1
                    return next - 1
                }
                guard index < count else { return }
                results.initializeElement(at: index, to: work(index))
            }
        }
        defer { results.deinitialize() }
        return Array(results)
    }
}
