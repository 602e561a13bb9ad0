import type { TransactionDetail } from '#contracts/http/transaction-detail.ts'
import type { Locale } from '#contracts/locale.ts'

/** A line of a statement that is to be explained; `amountFt` without its sign. */
export type LineFacts = {
  readonly userId: string
  readonly locale: Locale
  readonly type: string
  readonly paymentType: string
  readonly amountFt: number
  readonly reason: string
  readonly document: { readonly kind: string; readonly id: string }
  readonly at: Date
}

/** What is known of a line; `bill` names the document that its invoices were issued for. */
export type Explained = Pick<TransactionDetail, 'cause' | 'formula'> &
  Partial<Omit<TransactionDetail, 'id' | 'cause' | 'formula' | 'documents'>> & {
    readonly bill?: { readonly kind: string; readonly id: string }
  }
