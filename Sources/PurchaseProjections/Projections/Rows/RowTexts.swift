import PurchaseEvents

/// The texts of names in rows; caches the latest account's text and every product's text.
final class RowTexts {
    private let names: NameTable
    private var latest: (account: AccountHandle, text: String)?
    private var products: [String?]

    init(_ names: NameTable) {
        self.names = names
        products = Array(repeating: nil, count: names.count(of: .product))
    }

    func text(of account: AccountHandle?) -> String? {
        guard let account else { return nil }
        if let latest, latest.account == account { return latest.text }
        let text = names.text(of: account)
        latest = (account, text)
        return text
    }

    func text(of product: ProductHandle) -> String {
        let index = Int(product.name.rawValue)
        if let text = products[index] { return text }
        let text = names.text(of: product)
        products[index] = text
        return text
    }

    func text(of product: ProductHandle?) -> String? { product.map { text(of: $0) } }

    /// The texts of a transaction and its original, which are usually the same.
    func texts(
        of transaction: TransactionHandle, _ original: TransactionHandle
    ) -> (String, String) {
        let text = names.text(of: transaction)
        return (text, original == transaction ? text : names.text(of: original))
    }

    func text<Role>(of name: Identifier<Role, Interned>) -> String { names.text(of: name) }

    func text<Role>(of name: Identifier<Role, Interned>?) -> String? {
        name.map { names.text(of: $0) }
    }
}
