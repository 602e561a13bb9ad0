/** What the tax office knows of a VAT number. */
export type VatAnswer = {
  readonly isValid: boolean
  /** The proof that it was asked, where it gives one: it asks for the number of who asks. */
  readonly consultationNumber: string | null
}

/** There was no answer: nothing is known of the number. `code` is short and holds nothing that the other side wrote freely. */
export class VatOfficeSilent extends Error {
  override name = 'VatOfficeSilent'
  readonly code: string

  constructor(code: string, options: { cause?: unknown } = {}) {
    super(`no answer of the tax office: ${code}`, options)
    this.code = code
  }
}

/** Somebody who knows which VAT numbers of the Union exist. */
export interface VatOffice {
  /** `number` and `asker` have the prefix of their country; without an asker there is no proof. Throws VatOfficeSilent. */
  check(question: { readonly number: string; readonly asker: string | undefined }): Promise<VatAnswer>
}
