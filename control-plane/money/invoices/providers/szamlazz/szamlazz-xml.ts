import { XMLBuilder } from 'fast-xml-parser'
import type { InvoiceDocument } from '../../invoice-document.ts'
import { dayOf } from '../../write-invoice.ts'

/** The used operations of the Agent: the form field with the XML. */
export const AGENT_FIELDS = {
  create: 'action-xmlagentxmlfile',
  storno: 'action-szamla_agent_st',
  query: 'action-szamla_agent_xml',
} as const

const builder = new XMLBuilder({ ignoreAttributes: false, suppressEmptyNode: false })

const documentOf = (root: string, content: object): string =>
  `<?xml version="1.0" encoding="UTF-8"?>${builder.build({
    [root]: { '@_xmlns': `http://www.szamlazz.hu/${root}`, ...content },
  })}`

/** The provider's external id of a document: the same for every attempt. */
export const externalIdOf = ({ id }: Pick<InvoiceDocument, 'id'>): string => id

/** The provider's codes for rates that are not a percentage. */
const rateOf = ({ taxKind, rateBasisPoints }: InvoiceDocument): string => {
  if (taxKind === 'eu-reverse-charge') return 'EUFAD37'
  if (taxKind === 'outside-eu') return 'HO'
  return String(rateBasisPoints / 100)
}

// The schemas are sequences: the order of the keys is the order on the wire.
const settings = (agentKey: string, externalId: string) => ({
  szamlaagentkulcs: agentKey,
  eszamla: true,
  szamlaLetoltes: false,
  valaszVerzio: 2,
  szamlaKulsoAzon: externalId,
})

/** The query for a document by its external id. */
export const queryXml = (agentKey: string, externalId: string): string =>
  documentOf('xmlszamlaxml', { szamlaagentkulcs: agentKey, pdf: false, szamlaKulsoAzon: externalId })

/**
 * The order to issue an invoice, or a correction of the one with `originalNumber`. The balance has paid it already, so
 * nothing is left to pay.
 */
export const createXml = (agentKey: string, invoice: InvoiceDocument, originalNumber?: string): string => {
  const { customer, vatNumber, seller } = invoice
  return documentOf('xmlszamla', {
    beallitasok: settings(agentKey, externalIdOf(invoice)),
    fejlec: {
      keltDatum: dayOf(invoice.issuedAt.getTime()),
      teljesitesDatum: invoice.performedOn,
      fizetesiHataridoDatum: dayOf(invoice.issuedAt.getTime()),
      fizmod: invoice.paymentMethod === 'balance' ? 'Egyenleg' : invoice.paymentMethod,
      penznem: 'HUF',
      szamlaNyelve: invoice.language,
      rendelesSzam: invoice.number,
      ...(originalNumber === undefined ? {} : { helyesbitoszamla: true, helyesbitettSzamlaszam: originalNumber }),
      fizetve: true,
    },
    elado: seller.bankAccount === '' ? '' : { bankszamlaszam: seller.bankAccount },
    vevo: {
      nev: [customer.company, customer.name].filter(Boolean).join(', '),
      orszag: customer.country,
      irsz: customer.postalCode,
      telepules: customer.city,
      cim: customer.streetAndHouseNumber,
      email: customer.email,
      sendEmail: false,
      ...(customer.taxNumber === '' ? {} : { adoszam: customer.taxNumber }),
      ...(vatNumber === null ? {} : { adoszamEU: vatNumber }),
    },
    tetelek: {
      tetel: invoice.lines.map((line) => ({
        megnevezes: line.description,
        mennyiseg: line.quantity,
        mennyisegiEgyseg: 'db',
        nettoEgysegar: line.netFt / line.quantity,
        afakulcs: rateOf(invoice),
        nettoErtek: line.netFt,
        afaErtek: line.vatFt,
        bruttoErtek: line.grossFt,
      })),
    },
  })
}

/** The order to cancel the document with this number at the provider. */
export const stornoXml = (agentKey: string, storno: InvoiceDocument, originalNumber: string): string =>
  documentOf('xmlszamlast', {
    beallitasok: settings(agentKey, externalIdOf(storno)),
    fejlec: {
      szamlaszam: originalNumber,
      keltDatum: dayOf(storno.issuedAt.getTime()),
      teljesitesDatum: storno.performedOn,
      tipus: 'SS',
    },
    elado: '',
    vevo: '',
  })
