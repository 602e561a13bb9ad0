import type { BalanceChangeType } from '#contracts/gateway/events.ts'
import type { Transaction } from '#contracts/http/balance.ts'
import type { Notification } from '#contracts/http/notification.ts'
import type { LedgerDocument } from '#contracts/http/staff-money.ts'
import type { Locale, LocalizedText } from '#contracts/locale.ts'
import type { DocumentCause } from '#domain/billing/tax-point.ts'
import type { DocumentKind } from './document-ref.ts'

/** Who pays, and for what: the facts that words and keys of one sale are made from. */
export type SaleFacts<Facts> = Facts & {
  /** The id of the sale's own row. */
  readonly id: string
  readonly serverId?: string
  readonly totalFt: number
  readonly locale: Locale
  /** Whether the customer asked for it at this moment. */
  readonly isAsked: boolean
}

/** What the customer reads in the activity log and at the bell. */
export type Told = {
  readonly activity: { readonly type: string; readonly detail: object }
  readonly notices?: readonly Pick<Notification, 'text' | 'data'>[]
}

/** Where a crash matters inside the till, under the names that tests kill the process at. */
export type TillPoint = 'begin' | 'held' | 'line' | 'told' | 'captured' | 'done' | 'committed'
/** The same where a held price is taken or given back later. */
export type SettlePoint = 'captured' | 'released' | 'told' | 'done'

/** Something that is sold: everything about a sale of it but its price and what is delivered. */
export type SoldThing<Facts> = {
  /** Keys of requests are unique within it. */
  readonly name: string
  /** Names the postings in the ledger and what they refer to. */
  readonly ledger: LedgerDocument
  readonly statement: Transaction['type']
  readonly document: DocumentKind
  readonly news: BalanceChangeType
  readonly invoice: Exclude<DocumentCause, 'top-up'>
  /** The table of schema `control` that keeps the sale, and its column with the price. */
  readonly row: { readonly table: string; readonly paid: string }
  /** Names what is paid for, so that it is paid once: the keys in the ledger are `<key>:hold` and `<key>:capture`. */
  readonly key: (facts: SaleFacts<Facts>) => string
  /** Stands on the postings and the line of the statement. */
  readonly reason: (facts: SaleFacts<Facts>) => string
  /** The line of the invoice. */
  readonly invoiceText: (facts: SaleFacts<Facts>) => LocalizedText
  /** Told when it is bought. */
  readonly bought: (facts: SaleFacts<Facts>) => Told
  readonly points: Readonly<Partial<Record<TillPoint, string>>>
  /** A thing whose price is set aside until it is delivered. */
  readonly later?: {
    readonly delivered: (facts: SaleFacts<Facts>) => Told
    readonly failed: (facts: SaleFacts<Facts>) => Told
    readonly points: Readonly<Partial<Record<SettlePoint, string>>>
  }
}

/** Gives a thing its type by its facts. */
export const soldThing = <Facts>(thing: SoldThing<Facts>): SoldThing<Facts> => thing
