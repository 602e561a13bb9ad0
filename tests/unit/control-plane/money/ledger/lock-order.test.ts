import { expect, it } from 'vitest'
import { lockInOrder, noteLock } from '../../../../../control-plane/money/ledger/lock-order.ts'
import type { Sql } from '#platform/postgres/database.ts'

function recording(): { tx: Sql; statements: unknown[][] } {
  const statements: unknown[][] = []
  const query = async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    statements.push([text.includes('control.servers') ? 'server' : text, ...values])
    return []
  }
  return { tx: { query }, statements }
}

it('the locks of one call are taken in the one order, however they are named', async () => {
  const { tx, statements } = recording()
  await lockInOrder(tx, {
    wallet: 'w',
    spins: 'w',
    coupon: { of: 'order', id: 'c' },
    premium: { userId: 'w', as: 'shared' },
    server: 's',
    person: 'w',
  })
  expect(statements.map(([, id]) => id)).toEqual(['erase w', 's', 'premium:w', 'coupon:c', 'w', 'w', 'w'])
})

it('a lock that comes before one that is held is refused, and not taken', async () => {
  const { tx, statements } = recording()
  await lockInOrder(tx, { wallet: 'w' })
  await expect(lockInOrder(tx, { server: 's' })).rejects.toThrow('The lock of server comes before that of wallet.')
  expect(statements).toHaveLength(1)
})

it('a lock that is held already may be taken again after later ones', async () => {
  const { tx } = recording()
  await lockInOrder(tx, { server: 's', premium: { userId: 'p', as: 'shared' } })
  noteLock(tx, 'wallet', 'p')
  await expect(lockInOrder(tx, { server: 's' })).resolves.toBeUndefined()
})

it('another transaction begins with no lock', async () => {
  await lockInOrder(recording().tx, { wallet: 'w' })
  await expect(lockInOrder(recording().tx, { person: 'w' })).resolves.toBeUndefined()
})
