import PurchaseEvents

/// A kind of input that can be made of any size, to measure how the tool's costs grow with it.
package struct GrowthShape: Sendable {
    /// What the tool does with the input.
    package enum Input: String, Sendable {
        /// A log, for `check`, `show` and the like.
        case log
        /// Rows in CSV, for `import rows`.
        case rows
        /// App Store data, for `import app-store`.
        case appStore
    }

    /// The shape's name in kebab-case, or the event type that it repeats.
    package let name: String
    /// What the tool does with the input.
    package let input: Input
    /// The number of repetitions at which the growth tests measure the shape first.
    package let count: Int
    /// The input's text with a number of repetitions.
    package let text: @Sendable (Int) -> String

    /// Creates the shape of a log.
    init(
        _ name: String, count: Int = 1_000, _ add: @escaping @Sendable (Int, inout LogText) -> Void
    ) {
        (self.name, self.count, input) = (name, count, .log)
        text = { count in
            var log = LogText()
            add(count, &log)
            return log.text
        }
    }

    /// Creates the shape of an input to import.
    init(
        _ name: String, _ input: Input, count: Int = 1_000,
        _ text: @escaping @Sendable (Int) -> String
    ) { (self.name, self.input, self.count, self.text) = (name, input, count, text) }

    /// Every shape.
    package static let all =
        accounts + lines + queue + logs
        + EventType.allCases.filter { $0 != .logOpened }.map {
            repeated($0)
        } + imports

    /// The shape in which a type of event repeats, about the same thing and about others, between
    /// uses of what was bought.
    private static func repeated(_ type: EventType) -> GrowthShape {
        GrowthShape(type.wireName, count: 400) { count, log in
            log.start(.autoRenewable)
            for number in 1...count {
                RepeatedEvent(type, .same).add(number, to: &log)
                RepeatedEvent(type, .other).add(number + 1, to: &log)
                RepeatedEvent(.contentOpened, .same).add(number, to: &log)
                RepeatedEvent(.deliveryUnlocked, .same).add(number, to: &log)
            }
        }
    }
}

extension LogText {
    /// Adds a launch, an observer, and a product `p1` of a kind.
    mutating func start(_ kind: ProductKind) {
        add(.appLaunched)
        add(.queueObserved)
        add(.catalogListed, #""product":"p1","kind":"\#(kind.rawValue)","group":"g""#)
    }

    /// Adds a purchase that is dated by the minute of its line.
    mutating func purchase(_ transaction: String, _ product: String = "p1", lasting: Int? = nil) {
        var members = #""transaction":"\#(transaction)","product":"\#(product)","#
        members += "\"purchasedAt\":\(time(minute))"
        if let lasting { members += ",\"expiresAt\":\(time(minute + lasting))" }
        add(.queuePurchased, members)
    }

    /// Adds a renewal of a line that is dated by the minute of its line.
    mutating func renew(
        _ transaction: String, _ original: String, _ product: String = "p1", from: Int? = nil,
        lasting: Int = 3
    ) {
        let start = from ?? minute
        add(
            .renewalRenewed,
            #""transaction":"\#(transaction)","original":"\#(original)","product":"\#(product)","#
                + "\"purchasedAt\":\(time(start)),\"expiresAt\":\(time(start + lasting))",
            signed: start)
    }

    /// Adds an event that names only a transaction, and other members.
    mutating func about(_ transaction: String, _ type: EventType, _ members: String = "") {
        add(type, "\"transaction\":\"\(transaction)\"" + (members.isEmpty ? "" : "," + members))
    }

    /// Adds an event that names only a line, and other members.
    mutating func about(line: String, _ type: EventType, _ members: String = "") {
        add(type, "\"original\":\"\(line)\"" + (members.isEmpty ? "" : "," + members))
    }

    /// Adds an opening of content that is never published.
    mutating func open(_ content: String = "issue") {
        add(.contentOpened, "\"content\":\"\(content)\"")
    }

    /// Adds a product that is found unlocked.
    mutating func unlock(_ product: String = "p1") {
        add(.deliveryUnlocked, "\"product\":\"\(product)\"")
    }
}
