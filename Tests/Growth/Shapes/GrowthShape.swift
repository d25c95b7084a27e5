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

    /// Creates the shape of a log about a product `p1` of a kind, in which something is repeated,
    /// and then something else; both get their number, counted from 1.
    init(
        _ name: String, of kind: ProductKind, count: Int = 1_000,
        _ each: @escaping @Sendable (Int, inout LogText) -> Void,
        then: (@Sendable (Int, inout LogText) -> Void)? = nil
    ) {
        self.init(name, count: count) { count, log in
            log.start(kind)
            for number in 1...count { each(number, &log) }
            if let then { for number in 1...count { then(number, &log) } }
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
        GrowthShape(type.wireName, of: .autoRenewable, count: 400) { number, log in
            RepeatedEvent(type, .same).add(number, to: &log)
            RepeatedEvent(type, .other).add(number + 1, to: &log)
            RepeatedEvent(.contentOpened, .same).add(number, to: &log)
            RepeatedEvent(.deliveryUnlocked, .same).add(number, to: &log)
        }
    }
}

extension LogText {
    /// Adds a launch, an observer, and a product `p1` of a kind.
    mutating func start(_ kind: ProductKind) {
        launch()
        list("p1", kind, #","group":"g""#)
    }

    /// Adds a launch and an observer.
    mutating func launch() {
        add(.appLaunched)
        add(.queueObserved)
    }

    /// Adds a listing of a product.
    mutating func list(_ product: String, _ kind: ProductKind, _ members: String = "") {
        add(.catalogListed, "\"product\":\"\(product)\",\"kind\":\"\(kind.rawValue)\"" + members)
    }

    /// Adds a request of a payment for `p1`.
    mutating func request(_ payment: String, _ members: String = "") {
        add(.paymentRequested, "\"payment\":\"\(payment)\",\"product\":\"p1\"" + members)
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

    /// Adds a restored purchase of `p1` that is dated by the minute of its line.
    mutating func restore(_ transaction: String, _ original: String) {
        about(
            transaction, .queueRestored,
            #""original":"\#(original)","product":"p1","purchasedAt":"# + time(minute))
    }

    /// Adds a row of a receipt about a purchase of `p1` in minute 5.
    mutating func row(_ transaction: String, in receipt: String) {
        add(
            .receiptListed,
            #""receipt":"\#(receipt)","transaction":"\#(transaction)","product":"p1","#
                + "\"purchasedAt\":\(time(5))")
    }

    /// Adds a renewal that failed, with a grace period up to a minute.
    mutating func fail(_ original: String, graceEnd: Int) {
        about(line: original, .renewalFailed, "\"graceExpiresAt\":\(time(graceEnd))")
    }

    /// Adds a delivery, of access up to a minute if one is given.
    mutating func deliver(_ transaction: String, until: Int? = nil) {
        about(transaction, .deliveryDelivered, until.map { "\"until\":\(time($0))" } ?? "")
    }

    /// Adds a withdrawal.
    mutating func withdraw(_ transaction: String, _ reason: String, _ members: String = "") {
        about(transaction, .deliveryWithdrawn, "\"reason\":\"\(reason)\"" + members)
    }

    /// Adds a refund that is dated by the minute of its line.
    mutating func refund(_ transaction: String, _ members: String = "") {
        about(transaction, .cancellationRefunded, "\"cancelledAt\":\(time(minute))" + members)
    }

    /// Adds a published content, of a product or group.
    mutating func publish(_ content: String, _ owner: String, at minute: Int) {
        add(
            .contentPublished, "\"content\":\"\(content)\",\(owner),\"publishedAt\":\(time(minute))"
        )
    }

    /// Adds a consumed unit.
    mutating func consume(_ product: String) {
        add(.deliveryConsumed, "\"product\":\"\(product)\"")
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
