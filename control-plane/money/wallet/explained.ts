import type { TransactionDetail } from '#contracts/http/transaction-detail.ts'
import type { Locale } from '#contracts/locale.ts'
import type { DocumentRef } from '../things/document-ref.ts'

/** A statement line to explain; `amountFt` without its sign. */
export type LineFacts = {
  readonly userId: string
  readonly locale: Locale
  readonly type: string
  readonly paymentType: string
  readonly amountFt: number
  readonly reason: string
  /** Undefined for a line whose document is of no known kind. */
  readonly document: DocumentRef | undefined
  readonly at: Date
}

/** A line with a known document. */
export type Documented = LineFacts & { readonly document: DocumentRef }

/** The known facts of a line; `bill` is the document of its invoices. */
export type Explained = Pick<TransactionDetail, 'cause' | 'formula'> &
  Partial<Omit<TransactionDetail, 'id' | 'cause' | 'formula' | 'documents'>> & {
    readonly bill?: { readonly kind: string; readonly id: string }
  }
