import type { InvoiceDocument } from './invoice-document.ts'

/**
 * `temporary`: trying again may help. `unknown`: it was asked to issue and did not answer, so it may have done it. `configuration`:
 * trying again helps once staff have changed something. `permanent`: this document is refused for good.
 */
export type HandOverFailureKind = 'temporary' | 'unknown' | 'configuration' | 'permanent'

/** Why a document was not taken. `code` is short and holds nothing that the other side wrote. */
export class HandOverFailure extends Error {
  override name = 'HandOverFailure'
  readonly kind: HandOverFailureKind
  readonly code: string

  constructor(kind: HandOverFailureKind, code: string, options: { cause?: unknown } = {}) {
    super(`invoice not handed over: ${code}`, options)
    this.kind = kind
    this.code = code
  }
}

export type HandOver = {
  readonly document: InvoiceDocument
  /** The provider's number of what a storno or a correction takes back. */
  readonly originalNumber: string | null
  /** Asked right before the provider issues: false means that somebody else does, or that it was asked too often. */
  readonly maySend: () => Promise<boolean>
}

/** Somebody outside who issues our invoices again and tells the tax office of them. */
export interface InvoiceProvider {
  readonly name: string
  /**
   * Looks whether the provider has the document and lets it issue otherwise. Answers the provider's own number; throws
   * HandOverFailure.
   */
  handOver(order: HandOver): Promise<{ readonly number: string }>
}
