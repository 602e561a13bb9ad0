import type { VatOffice } from './vat-office.ts'
import { viesOffice } from './vies-office.ts'

/** The service that checks VAT numbers. */
export const vatOffice = (options: { url: string }): VatOffice => viesOffice(options)
