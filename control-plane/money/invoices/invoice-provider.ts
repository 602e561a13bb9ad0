import type { InvoiceDocument } from './invoice-document.ts'

/**
 * `temporary`: a retry may help. `unknown`: the request to issue got no response, so it may have been issued.
 * `configuration`: a retry helps once staff have changed something. `permanent`: this document is refused for good.
 */
export type HandOverFailureKind = 'temporary' | 'unknown' | 'configuration' | 'permanent'

/** Why a document was not accepted. `code` is short and contains no text of the peer. */
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
  /** The provider's number of the document that a storno or a correction refers to. */
  readonly originalNumber: string | null
  /** Called right before the provider issues: false means that another process does, or that it was sent too often. */
  readonly maySend: () => Promise<boolean>
}

/** An external service that reissues our invoices and reports them to the tax office. */
export interface InvoiceProvider {
  readonly name: string
  /**
   * Checks whether the provider has the document and makes it issue it otherwise. Returns the provider's number; throws
   * HandOverFailure.
   */
  handOver(order: HandOver): Promise<{ readonly number: string }>
}
