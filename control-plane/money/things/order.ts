import type { LocalizedText } from '#contracts/locale.ts'
import { productWithMonths } from './months.ts'
import { soldThing, type SaleFacts } from './sold-thing.ts'

type Ordered = { readonly product: LocalizedText; readonly months: number }

const server = ({ serverId, product, totalFt, locale }: SaleFacts<Ordered>) => ({
  sid: serverId,
  product: product[locale],
  amount: totalFt,
})

/** A server for its first months. Its price is held until the node has installed it. */
export const ORDER = soldThing<Ordered>({
  name: 'order',
  ledger: 'order',
  statement: 'order',
  document: 'order',
  news: 'order',
  invoice: 'order',
  row: { table: 'orders', paid: 'total_ft' },
  key: ({ id }) => `order:${id}`,
  reason: ({ product }) => `Order of ${product.en}`,
  invoiceText: ({ product, months }) => productWithMonths(product, months),
  bought: ({ id }) => ({ activity: { type: 'order.placed', detail: { orderId: id } } }),
  points: {
    begin: 'order.begin',
    held: 'order.held',
    line: 'order.statement-written',
    committed: 'order.committed',
  },
  later: {
    delivered: (sale) => ({
      activity: { type: 'order.completed', detail: { orderId: sale.id, totalFt: sale.totalFt } },
      notices: [
        { text: 'purchase.success', data: server(sale) },
        { text: 'server.installed', data: server(sale) },
      ],
    }),
    failed: (sale) => ({
      activity: { type: 'order.failed', detail: { orderId: sale.id, totalFt: sale.totalFt } },
      notices: [{ text: 'order.failed', data: server(sale) }],
    }),
    points: {
      captured: 'order-settle.money-moved',
      released: 'order-settle.money-moved',
      told: 'order-settle.notified',
      done: 'order-settle.invoiced',
    },
  },
})
