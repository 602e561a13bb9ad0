import type { TransactionDetail } from '#contracts/http/transaction-detail.ts'
import type { Locale } from '#contracts/locale.ts'
import type { DocumentRef } from '../things/document-ref.ts'

/** A line of a statement that is to be explained; `amountFt` without its sign. */
export type LineFacts = {
  readonly userId: string
  readonly locale: Locale
  readonly type: string
  readonly paymentType: string
  readonly amountFt: number
  readonly reason: string
  /** Undefined for a line whose document no release can name. */
  readonly document: DocumentRef | undefined
  readonly at: Date
}

/** A line whose document is known. */
export type Documented = LineFacts & { readonly document: DocumentRef }

/** What is known of a line; `bill` names the document that its invoices were issued for. */
export type Explained = Pick<TransactionDetail, 'cause' | 'formula'> &
  Partial<Omit<TransactionDetail, 'id' | 'cause' | 'formula' | 'documents'>> & {
    readonly bill?: { readonly kind: string; readonly id: string }
  }
