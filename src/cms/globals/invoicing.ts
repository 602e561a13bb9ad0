import type { Field, GlobalConfig, TextField } from 'payload'
import { SERIES_PREFIX } from '#contracts/invoicing.ts'
import { countryCode } from '#domain/billing/country.ts'
import { administrator } from '../access/administrator.ts'
import { groups } from '../fields/labels.ts'
import { words, type Words } from '../fields/languages.ts'
import { secretField } from '../fields/secret-field.ts'

const text = (name: string, maxLength: number, label: Words): TextField => ({ name, type: 'text', maxLength, label })

/** Letters and digits of a series: the prefix of every number. */
const prefix = (name: string, defaultValue: string, label: Words): TextField => ({
  ...text(name, 8, label),
  required: true,
  defaultValue,
  validate: (value: unknown) => (typeof value === 'string' && SERIES_PREFIX.test(value)) || 'A-Z, 0-9 (1-8)',
})

const seller: Field = {
  name: 'seller',
  type: 'group',
  label: words('Seller', 'Eladó', 'Verkäufer'),
  admin: {
    description: words(
      'No invoices are issued until name, address and tax number are filled in; earlier sales are then invoiced.',
      'Amíg a név, a cím és az adószám nincs kitöltve, nem készül számla; a közben eladottakról utólag készül.',
      'Solange Name, Adresse und Steuernummer fehlen, wird keine Rechnung ausgestellt; frühere Verkäufe werden danach abgerechnet.',
    ),
  },
  fields: [
    text('name', 120, words('Name', 'Név', 'Name')),
    text('postalCode', 12, words('Postal code', 'Irányítószám', 'Postleitzahl')),
    text('city', 80, words('City', 'Település', 'Ort')),
    text('street', 120, words('Street and number', 'Utca, házszám', 'Straße und Hausnummer')),
    {
      ...text('country', 2, words('Country (two letters)', 'Ország (két betű)', 'Land (zwei Buchstaben)')),
      required: true,
      defaultValue: 'HU',
      validate: (value: unknown) => countryCode(value) === value || 'HU, AT, DE ...',
    },
    text('taxNumber', 20, words('Tax number', 'Adószám', 'Steuernummer')),
    text('euTaxNumber', 20, words('EU tax number', 'Közösségi adószám', 'USt-IdNr.')),
    text('registryNumber', 30, words('Company registry number', 'Cégjegyzékszám', 'Handelsregisternummer')),
    text('bankAccount', 40, words('Bank account', 'Bankszámlaszám', 'Bankverbindung')),
    text('email', 120, words('E-mail address', 'E-mail-cím', 'E-Mail-Adresse')),
  ],
}

const szamlazz: Field = {
  name: 'szamlazz',
  type: 'group',
  label: words('Számlázz.hu', 'Számlázz.hu', 'Számlázz.hu'),
  fields: [
    {
      name: 'enabled',
      type: 'checkbox',
      required: true,
      defaultValue: false,
      label: words('Send documents', 'Bizonylatok átadása', 'Belege übergeben'),
    },
    secretField('agentKey', words('Agent key', 'Agent-kulcs', 'Agent-Schlüssel')),
  ],
}

/** Texts on invoices besides the customer's own data, and the tax point. Money itself belongs to the control plane. */
export const Invoicing: GlobalConfig = {
  slug: 'invoicing',
  label: words('Invoicing', 'Számlázás', 'Rechnungsstellung'),
  admin: { group: groups.system },
  access: { read: administrator, update: administrator },
  fields: [
    seller,
    prefix('invoicePrefix', 'SZ', words('Invoice series', 'Számlasorozat', 'Rechnungsserie')),
    prefix('receiptPrefix', 'NY', words('Receipt series', 'Nyugtasorozat', 'Quittungsserie')),
    {
      name: 'taxPoint',
      type: 'select',
      required: true,
      defaultValue: 'at_spend',
      label: words('Issue an invoice for', 'Számla erről készül', 'Eine Rechnung gibt es für'),
      options: [
        { value: 'at_topup', label: words('each top-up', 'minden feltöltés', 'jede Aufladung') },
        {
          value: 'at_spend',
          label: words('each purchase from the balance', 'minden vásárlás az egyenlegből', 'jeden Kauf vom Guthaben'),
        },
      ],
      admin: {
        description: words(
          'Ask your accountant which of the two applies to your balance.',
          'Kérdezd meg a könyvelődet, a te egyenlegedre melyik érvényes.',
          'Frage deine Buchhaltung, was für dein Guthaben gilt.',
        ),
      },
    },
    szamlazz,
  ],
}
