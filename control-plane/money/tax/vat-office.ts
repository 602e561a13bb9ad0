/** The tax office's data on a VAT number. */
export type VatAnswer = {
  readonly isValid: boolean
  /** The proof of the check, if the office issues one: it requires the asker's own number. */
  readonly consultationNumber: string | null
}

/** There was no response: nothing is known about the number. `code` is short and contains no free text of the peer. */
export class VatOfficeSilent extends Error {
  override name = 'VatOfficeSilent'
  readonly code: string

  constructor(code: string, options: { cause?: unknown } = {}) {
    super(`no answer of the tax office: ${code}`, options)
    this.code = code
  }
}

/** A service that knows the valid EU VAT numbers. */
export interface VatOffice {
  /** `number` and `asker` include the country prefix; without an asker there is no proof. Throws VatOfficeSilent. */
  check(question: { readonly number: string; readonly asker: string | undefined }): Promise<VatAnswer>
}
