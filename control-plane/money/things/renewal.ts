import type { LocalizedText } from '#contracts/locale.ts'
import { productWithMonths } from './months.ts'
import { soldThing } from './sold-thing.ts'

/** One or more further months of a server. `period` identifies the paid time, which is paid once. */
export const RENEWAL = soldThing<{
  readonly product: LocalizedText
  readonly months: number
  readonly period: string
}>({
  name: 'renewal',
  ledger: 'renewal',
  statement: 'renewal',
  document: 'renewal',
  news: 'renewal',
  invoice: 'renewal',
  row: { table: 'renewals', paid: 'total_ft' },
  key: ({ period }) => period,
  reason: ({ product }) => `Renewal of ${product.en}`,
  invoiceText: ({ product, months }) => productWithMonths(product, months),
  bought: ({ id, serverId, product, months, totalFt, locale, isAsked }) => ({
    activity: {
      type: isAsked ? 'server.renewed' : 'server.auto-renewed',
      detail: { renewalId: id, totalFt, months },
    },
    notices: [
      {
        text: 'purchase.success',
        data: { sid: serverId, product: product[locale], amount: totalFt, purchase: 'renewal' },
      },
    ],
  }),
  points: {
    begin: 'renewal.begin',
    held: 'renewal.held',
    line: 'renewal.statement-written',
    told: 'renewal.told',
    captured: 'renewal.captured',
    committed: 'renewal.committed',
  },
})
