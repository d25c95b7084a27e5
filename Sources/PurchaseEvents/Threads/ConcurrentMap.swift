import Dispatch

/// The results of `work` for each index below `count`, in order, computed on several threads.
///
/// Threads fetch the next index when they are free, so pieces of work may differ in length. With
/// one thread, the work runs on the calling thread.
///
/// - Precondition: no piece of work changes a value that another one reads.
package func concurrentMap<Result>(
    _ count: Int, threads: Int, _ work: (Int) -> Result
) -> [Result] {
    guard threads > 1, count > 1 else { return (0..<count).map(work) }
    let next = Protected(0)
    return withoutActuallyEscaping(work) { work in
        // One thread writes each element, and the elements are read after all threads have
        // finished.
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
