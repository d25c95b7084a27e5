import PurchaseEvents
import Testing

struct MoneyTests {
    @Test func `a currency is three capital letters`() {
        #expect(Currency(code: "EUR")?.code == "EUR")
        #expect(Currency(code: "AAA")?.letters == [65, 65, 65])
        let wrong = [
            "", "E", "EU", "EURO", "eur", "EUr", "E R", "EU1", "ÉUR", "EU[", "@UR", "EUR\0",
        ]
        for code in wrong {
            #expect(Currency(code: code) == nil, "\(code)")
        }
    }

    @Test func `amounts of one currency are added`() throws {
        let euro = try #require(Currency(code: "EUR"))
        let dollar = try #require(Currency(code: "USD"))
        let price = Money(thousandths: 4_990, currency: euro)
        #expect(price.adding(price) == Money(thousandths: 9_980, currency: euro))
        #expect(price.adding(Money(thousandths: 4_990, currency: dollar)) == nil)
        #expect(price.adding(Money(thousandths: .max, currency: euro)) == nil)
        let debt = Money(thousandths: .min, currency: euro)
        #expect(debt.adding(Money(thousandths: -1, currency: euro)) == nil)
    }
}
