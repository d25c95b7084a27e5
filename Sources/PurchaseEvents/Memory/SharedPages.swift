#if os(Linux)
    /// Pages shared by several allocations; a page is unmapped with its last allocation.
    ///
    /// A long log's tables grow by doubling and free what they outgrow: the freed parts are
    /// allocated again, and so is what is left of a page that is too full for an allocation.
    struct SharedPages: Sendable {
        /// Free bytes of a page; they count only while the page is still mapped.
        private struct Room {
            var start: UInt = 0, end: UInt = 0
            /// The page's ``Page/mapping`` when the room became free.
            var mapping = 0

            func start(_ alignment: Int) -> UInt {
                (start + UInt(alignment) - 1) & ~(UInt(alignment) - 1)
            }
        }

        private struct Page {
            var parts = 0
            /// Another number each time that the page is mapped, or used from its start.
            let mapping: Int
        }

        private var pages: [UInt: Page] = [:]
        private var current = Room()
        /// Other rooms, by the number of binary digits of their size.
        private var rooms: [[Room]] = Array(repeating: [], count: UInt.bitWidth + 1)
        private var mappings = 0
        private var ordinary = 0

        var pageCount: Int { pages.count }

        /// Allocates part of a page, or returns `nil` while little ordinary memory is in use.
        mutating func take(_ byteCount: Int, _ alignment: Int) -> UnsafeMutableRawPointer? {
            if ordinary < LongMemory.ordinaryLimit {
                ordinary += byteCount
                return nil
            }
            if current.start(alignment) + UInt(byteCount) > current.end {
                keep(current)
                current =
                    room(for: UInt(byteCount), alignment)
                    ?? use(UInt(bitPattern: Pages.map(LongMemory.pageSize)))
            }
            let start = current.start(alignment)
            current.start = start + UInt(byteCount)
            pages[SharedPages.page(of: start)]?.parts += 1
            return UnsafeMutableRawPointer(bitPattern: start)
        }

        /// Frees part of a page; returns `false` if the memory is ordinary.
        mutating func free(_ place: UnsafeMutableRawPointer, _ byteCount: Int) -> Bool {
            let start = UInt(bitPattern: place)
            let address = SharedPages.page(of: start)
            guard let page = pages[address] else {
                ordinary -= byteCount
                return false
            }
            pages[address]?.parts = page.parts - 1
            if page.parts > 1 {
                keep(Room(start: start, end: start + UInt(byteCount), mapping: page.mapping))
            } else if page.mapping == current.mapping {
                // Nothing in this page is in use, so allocate from its start again.
                current = use(address)
            } else {
                pages[address] = nil
                Pages.unmap(place - Int(start - address), LongMemory.pageSize)
            }
            return true
        }

        private static func page(of address: UInt) -> UInt {
            address & ~UInt(LongMemory.pageSize - 1)
        }

        private mutating func keep(_ room: Room) {
            let size = room.end - room.start
            guard size >= LongMemory.sharedMinimum else { return }
            rooms[UInt.bitWidth - size.leadingZeroBitCount].append(room)
        }

        private mutating func room(for byteCount: UInt, _ alignment: Int) -> Room? {
            let size = byteCount + UInt(alignment)
            for digits in UInt.bitWidth - size.leadingZeroBitCount..<rooms.count {
                while let room = rooms[digits].last {
                    let isMapped = pages[SharedPages.page(of: room.start)]?.mapping == room.mapping
                    if isMapped, room.start(alignment) + byteCount > room.end { break }
                    rooms[digits].removeLast()
                    if isMapped { return room }
                }
            }
            return nil
        }

        private mutating func use(_ page: UInt) -> Room {
            mappings += 1
            pages[page] = Page(mapping: mappings)
            return Room(start: page, end: page + UInt(LongMemory.pageSize), mapping: mappings)
        }
    }
#endif
