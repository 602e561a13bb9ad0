// @vitest-environment happy-dom
import { useQuery } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { OrderFailure } from '../../../../src/features/catalog/price-panel.tsx'
import { OrderFailed, useOrder } from '../../../../src/features/catalog/use-order.ts'
import { ApiFailure } from '../../../../src/lib/browser-client/failure.ts'
import { withdrawalsQuery } from '../../../../src/lib/queries/queries.ts'
import { shownServer } from '../../../factories/shown-server.ts'
import { eventually, shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'

vi.mock('next/navigation', () => ({ useRouter: () => ({ push: () => {} }) }))

let page: ShownPage
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})

const INSTANT = '2026-06-01T10:00:00.000Z'
const ID = '01890000-0000-7000-8000-000000000001'

const Ordering = () => {
  const contracts = useQuery(withdrawalsQuery()).data?.items.length
  const order = useOrder({ onOrdered: () => {}, onPriceChanged: () => {} })
  return (
    <button type="button" onClick={() => order.mutate({ serviceId: ID, months: 1, name: 'Watchman' })}>
      {contracts} contracts
    </button>
  )
}

test('an order is a contract that can be withdrawn from at once', async () => {
  const order = { id: ID, state: 'provisioning', totalFt: 1500, createdAt: INSTANT, failureReason: null }
  page = shownPage(<Ordering />, {
    'GET /api/withdrawal': () => Response.json({ items: [] }),
    'POST /api/orders': () => Response.json({ order, server: shownServer() }),
  })
  const button = await page.see('button', '0 contracts')
  button.click()
  await eventually(() => expect(page.calls.filter(({ name }) => name === 'GET /api/withdrawal')).toHaveLength(2))
})

test.each([
  ['a control plane that did not answer', 'CONTROL_PLANE_UNAVAILABLE', 503, "We don't know whether your order arrived"],
  ['the same order under way', 'IN_PROGRESS', 409, "We don't know whether your order arrived"],
  ['a refusal', 'NO_CAPACITY', 422, "You weren't charged."],
] as const)('%s: where the money is', async (_name, code, status, words) => {
  page = shownPage(<OrderFailure failure={new ApiFailure({ code, status, message: 'x' })} />, {})
  expect(await page.see('[role=alert]', words)).toBeDefined()
})

test('an order that was taken and then failed: the money is back', async () => {
  page = shownPage(<OrderFailure failure={new OrderFailed('No port.')} />, {})
  expect(await page.see('[role=alert]', 'back in your balance')).toBeDefined()
})
