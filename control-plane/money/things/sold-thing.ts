import type { BalanceChangeType } from '#contracts/gateway/events.ts'
import type { Transaction } from '#contracts/http/balance.ts'
import type { Notification } from '#contracts/http/notification.ts'
import type { LedgerDocument } from '#contracts/http/staff-money.ts'
import type { Locale, LocalizedText } from '#contracts/locale.ts'
import type { DocumentCause } from '#domain/billing/tax-point.ts'
import type { DocumentKind } from './document-ref.ts'

/** The customer and the thing: the facts behind the texts and keys of one sale. */
export type SaleFacts<Facts> = Facts & {
  /** The id of the sale's own row. */
  readonly id: string
  readonly serverId?: string
  readonly totalFt: number
  readonly locale: Locale
  /** Whether the customer requested it, as opposed to an automatic sale. */
  readonly isAsked: boolean
}

/** The customer's entries in the activity log and the bell. */
export type Told = {
  readonly activity: { readonly type: string; readonly detail: object }
  readonly notices?: readonly Pick<Notification, 'text' | 'data'>[]
}

/** Fault points inside the till, by the names used in tests. */
export type TillPoint = 'begin' | 'held' | 'line' | 'told' | 'captured' | 'done' | 'committed'
/** The same for the later capture or release of a held price. */
export type SettlePoint = 'captured' | 'released' | 'told' | 'done'

/** A thing for sale: everything about a sale of it except its price and its delivery. */
export type SoldThing<Facts> = {
  /** Idempotency keys are unique within it. */
  readonly name: string
  /** The name of its postings in the ledger, and of their references. */
  readonly ledger: LedgerDocument
  readonly statement: Transaction['type']
  readonly document: DocumentKind
  readonly news: BalanceChangeType
  readonly invoice: Exclude<DocumentCause, 'top-up'>
  /** The table of schema `control` with its sales, and the column with the price. */
  readonly row: { readonly table: string; readonly paid: string }
  /** Identifies the purchase, so that it is paid once: the ledger's keys are `<key>:hold` and `<key>:capture`. */
  readonly key: (facts: SaleFacts<Facts>) => string
  /** The reason on the postings and the statement line. */
  readonly reason: (facts: SaleFacts<Facts>) => string
  /** The line of the invoice. */
  readonly invoiceText: (facts: SaleFacts<Facts>) => LocalizedText
  /** The news about a purchase. */
  readonly bought: (facts: SaleFacts<Facts>) => Told
  readonly points: Readonly<Partial<Record<TillPoint, string>>>
  /** A thing whose price is held until its delivery. */
  readonly later?: {
    readonly delivered: (facts: SaleFacts<Facts>) => Told
    readonly failed: (facts: SaleFacts<Facts>) => Told
    readonly points: Readonly<Partial<Record<SettlePoint, string>>>
  }
}

/** Infers a thing's type from its facts. */
export const soldThing = <Facts>(thing: SoldThing<Facts>): SoldThing<Facts> => thing
