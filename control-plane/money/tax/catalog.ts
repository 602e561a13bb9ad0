import type { VatOffice } from './vat-office.ts'
import { viesOffice } from './vies-office.ts'

/** Who says whether a VAT number exists. */
export const vatOffice = (options: { url: string }): VatOffice => viesOffice(options)
