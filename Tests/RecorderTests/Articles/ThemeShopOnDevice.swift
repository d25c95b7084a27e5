#if canImport(StoreKit)
    import Foundation
    import PurchaseEvents
    import PurchaseRecorder

    // The article "Record your first purchase" shows this function's body. Where there is no
    // StoreKit, Tests/StoreKitDeclarations/check checks its types.

    @MainActor func openThemeShop(_ shop: ThemeShop, log path: String) throws -> StoreKitQueue {
        let settings = RecorderSettings(
            kinds: ["theme": .nonConsumable],
            now: { Timestamp(milliseconds: Int64(Date.now.timeIntervalSince1970 * 1_000)) },
            newKey: { UUID().uuidString })
        let queue = StoreKitQueue()
        let recorder = try shop.open(log: path, queue: queue, settings: settings)
        queue.recorder = recorder
        try recorder.launch()
        recorder.requestProducts(["theme"])
        return queue
    }
#endif
