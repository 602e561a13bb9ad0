import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { INTERNAL_CALLS, type InternalCallName } from '#contracts/internal-api/calls.ts'
import { refundServer } from '../../../control-plane/money/withdrawal/refund-server.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { billedPerson } from '../../factories/invoices.ts'
import { callMoney } from '../../factories/money-api.ts'
import { callerOf, credit, openShop, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { paymentContext } from '../../factories/till.ts'

const REASON = 'The node was down for a day.'
let database: ControlDatabase
let shop: Shop
let staff: ReturnType<typeof callerOf>
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner)
  staff = { ...callerOf(await userWith(database.db, 0n)), isAdmin: true }
})
afterAll(() => database.close())

const context = () => paymentContext(database.db)

const call = async (name: InternalCallName, input: object) => (await callMoney(context(), name, { input })).json
const invoices = async (filter: object) =>
  INTERNAL_CALLS['staff-invoices'].output.parse(await call('staff-invoices', { caller: staff, ...filter }))

/** A server of somebody, delivered and invoiced. */
async function bought(name: string) {
  const userId = await billedPerson(database.owner)
  await credit(database.db, { userId, amountFt: 5000n })
  const request = { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name }
  const command = { caller: callerOf(userId), request, idempotencyKey: systemIds.next(), requestId: 'request-1' }
  const placed = await placeOrder(context(), command)
  if (!placed.ok) throw new Error(placed.code)
  await settleOrder(context(), { serverId: placed.answer.serverId, outcome: 'installed', reason: '' })
  return { userId, ...placed.answer }
}

const giveBack = (serverId: string, amountFt: number) =>
  refundServer(context(), {
    staffId: staff.userId,
    serverId,
    amountFt,
    reason: REASON,
    endServer: false,
    requestId: 'request-2',
    idempotencyKey: systemIds.next(),
  })

test('each correction is listed with the invoice that it corrects, and nowhere else', async () => {
  const { userId, serverId, orderId } = await bought('Aréna')
  expect(await giveBack(serverId, 100)).toMatchObject({ ok: true })
  expect(await giveBack(serverId, 50)).toMatchObject({ ok: true })
  const page = await invoices({ userId })
  expect(page).toMatchObject({
    next: null,
    items: [
      {
        userId,
        kind: 'invoice',
        status: 'corrected',
        totalFt: 990,
        reason: null,
        takenBackBy: [
          { kind: 'correction', totalFt: -100, reason: REASON },
          { kind: 'correction', totalFt: -50, reason: REASON },
        ],
      },
    ],
  })
  const [invoice] = page.items
  const [first] = invoice?.takenBackBy ?? []
  for (const filter of [{ number: invoice?.number }, { number: first?.number }, { userId, saleId: orderId }]) {
    expect((await invoices(filter)).items.map(({ id }) => id)).toEqual([invoice?.id])
  }
  expect((await invoices({ number: 'NO-SUCH-NUMBER' })).items).toEqual([])
  const file = INTERNAL_CALLS['staff-invoice-file'].output.parse(
    await call('staff-invoice-file', { caller: staff, invoiceId: first?.id }),
  )
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(Buffer.from(file.pdf, 'base64'))), {
    mergePages: true,
  })
  expect(text).toContain(first?.number)
  expect(text).toContain(invoice?.number)
})

test('pages of invoices follow one another, each with its own corrections', async () => {
  const { userId, serverId } = await bought('First')
  await giveBack(serverId, 10)
  const later = await bought('Second')
  const newest = await invoices({ limit: 1 })
  expect(newest.items).toMatchObject([{ userId: later.userId, takenBackBy: [] }])
  const next = await invoices({ limit: 1, before: newest.next })
  expect(next.items).toMatchObject([{ userId, takenBackBy: [{ totalFt: -10 }] }])
})

test('a customer’s servers are listed, including deleted ones, without anybody else’s', async () => {
  const { userId, serverId } = await bought('Kept')
  await bought('Of another')
  await database.owner.query(`update control.servers set desired = 'deleted', deleted_at = now() where id = $1`, [
    serverId,
  ])
  const answer = await call('staff-servers', { caller: staff, userId })
  expect(INTERNAL_CALLS['staff-servers'].output.parse(answer)).toMatchObject({
    items: [{ id: serverId, name: 'Kept', ownerId: userId, isDeleted: true }],
    next: null,
  })
})
