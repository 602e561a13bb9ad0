import type { InvoiceDocument } from '../../control-plane/money/invoices/invoice-document.ts'

/** An invoice with letters that only the extended font files have. */
export const invoiceDocument = (changes: Partial<InvoiceDocument> = {}): InvoiceDocument => ({
  ...{ id: '01890000-0000-7000-8000-000000000001', userId: '01890000-0000-7000-8000-000000000002' },
  ...{ kind: 'invoice', form: 'electronic', number: 'SZ-2026-000001' },
  ...{ documentKind: 'order', documentId: '01890000-0000-7000-8000-000000000003' },
  ...{ taxPoint: 'at_spend', language: 'hu', paymentMethod: 'balance' },
  seller: {
    ...{ name: 'Őrszem Űrhajózási Kft.', postalCode: '1111', city: 'Budapest', street: 'Őr utca 1.', country: 'HU' },
    ...{ taxNumber: '12345678-2-43', euTaxNumber: 'HU12345678', registryNumber: '01-09-123456' },
    ...{ bankAccount: '', email: 'szamla@example.test' },
  },
  customer: {
    ...{ name: 'Hűvös Győző', company: 'Tükörfúró Bt.', taxNumber: '87654321-1-42', country: 'HU' },
    ...{ postalCode: '3200', city: 'Gyöngyös', streetAndHouseNumber: 'Fő út 3.', email: 'gyozo@example.test' },
  },
  lines: [{ description: 'Minecraft, 1 hónap', quantity: 1, netFt: 15_669, vatFt: 4_231, grossFt: 19_900 }],
  ...{ taxKind: 'domestic', taxRule: 'domestic-HU', taxRuleVersion: '2025-08-01', taxCountry: 'HU', vatNumber: null },
  ...{ rateBasisPoints: 2_700, netFt: 15_669, vatFt: 4_231, grossFt: 19_900 },
  ...{ performedOn: '2026-06-01', issuedAt: new Date(Date.UTC(2026, 5, 1, 12)) },
  ...{ stornoOf: null, stornoBy: null, correctionOf: null, correctedBy: [], reason: null },
  ...changes,
})
