import type { LocalizedText } from '#contracts/locale.ts'
import { soldThing } from './sold-thing.ts'

/** An upgrade for the rest of a server's paid time. */
export const MODIFICATION = soldThing<{ readonly product: LocalizedText }>({
  name: 'modification',
  ledger: 'modification',
  statement: 'server modification',
  document: 'modification',
  news: 'modification',
  invoice: 'modification',
  row: { table: 'modifications', paid: 'charge_ft' },
  key: ({ id }) => `modify:${id}`,
  reason: ({ product }) => `Change of ${product.en}`,
  invoiceText: ({ product: { en, hu, de } }) => ({
    en: `${en}, upgrade`,
    hu: `${hu}, bővítés`,
    de: `${de}, Upgrade`,
  }),
  bought: ({ id, serverId, product, totalFt, locale }) => ({
    activity: { type: 'server.modified', detail: { modificationId: id, chargeFt: totalFt, backFt: 0 } },
    notices: [
      {
        text: 'purchase.success',
        data: { sid: serverId, product: product[locale], amount: totalFt, purchase: 'resize' },
      },
    ],
  }),
  points: {
    begin: 'modification.begin',
    held: 'modification.money-moved',
    told: 'modification.told',
    committed: 'modification.committed',
  },
})
