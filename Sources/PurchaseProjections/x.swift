/// Folds of a purchase event log.
import PurchaseEvents
