/// State that a snapshot keeps, so that a later run goes on where this one ended.
///
/// One method visits the stored properties for both directions: when a snapshot is written, the
/// visitor copies their values; when one is read, it replaces them. A rule of your own conforms so
/// that `check --resume` needn't read the log from its start:
///
/// ```swift
/// extension LaunchesCounted: Snapshotted {
///     mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&launches) }
/// }
/// ```
public protocol Snapshotted {
    /// Passes every stored property to the visitor, always in the same order.
    mutating func visitFields(_ visitor: FieldVisitor)
}

/// A ``Snapshotted`` value that an empty list of such values can create.
public protocol SnapshottedElement: Snapshotted {
    /// Creates a value whose fields a snapshot is about to replace.
    init()
}
