import { ORDER } from './order.ts'
import { soldThing } from './sold-thing.ts'

const { ledger, statement, document, news, invoice, row, key, reason, invoiceText } = ORDER

/** The order of a kept test server: the server exists, so it is paid at once. */
export const CONVERSION: typeof ORDER = soldThing({
  name: 'conversion',
  ledger,
  statement,
  document,
  news,
  invoice,
  row,
  key,
  reason,
  invoiceText,
  bought: ({ id, serverId, product, totalFt, locale }) => ({
    activity: { type: 'server.converted', detail: { orderId: id, totalFt } },
    notices: [{ text: 'purchase.success', data: { sid: serverId, product: product[locale], amount: totalFt } }],
  }),
  points: {
    begin: 'conversion.begin',
    held: 'conversion.money-moved',
    told: 'conversion.told',
    committed: 'conversion.committed',
  },
})
