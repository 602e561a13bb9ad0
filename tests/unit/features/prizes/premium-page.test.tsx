// @vitest-environment happy-dom
import { useQuery } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { isBuilt } from '../../../../src/contracts/features.ts'
import { PremiumPage } from '../../../../src/features/prizes/premium-page.tsx'
import { withdrawalsQuery } from '../../../../src/lib/queries/queries.ts'
import { eventually, held, refused, shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'

const tier = { backupSlots: 1, subUsers: 1, spins: 1, discountPercent: 5, days: 30 }
const offers = [
  { ...tier, tier: 'none', priceFt: 0 },
  { ...tier, tier: 'essentials', priceFt: 990 },
  { ...tier, tier: 'maximus', priceFt: 1990 },
]
const view = (balanceFt: number) => ({ tier: 'none', expiresAt: null, balanceFt, offers, losses: [] })

let page: ShownPage
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})

/** The contracts that can be withdrawn from stand on the same page. */
const Contracts = () => <p>{useQuery(withdrawalsQuery()).data?.items.length} contracts</p>

const paying = async () => {
  const purchase = held()
  page = shownPage(
    <PremiumPage>
      <Contracts />
    </PremiumPage>,
    {
      'GET /api/premium': () => Response.json(view(5000)),
      'GET /api/withdrawal': () => Response.json({ items: [] }),
      'POST /api/premium': () => purchase.response,
    },
  )
  await page.see('p', '0 contracts')
  const buy = await page.see('button', /Maximus/i)
  buy.click()
  const pay = await page.see('dialog button', '1,990 Ft')
  pay.click()
  await page.see('dialog button[aria-disabled]', 'Cancel')
  return purchase
}
const asked = (name: string) => page.calls.filter((call) => call.name === name).length

test('premium that was bought is a contract that can be withdrawn from at once', async () => {
  const purchase = await paying()
  purchase.settle(Response.json({ tier: 'maximus', expiresAt: '2100-06-01T10:00:00.000Z' }))
  await eventually(() => expect(page.find('dialog button')).toBeUndefined())
  await eventually(() => expect(asked('GET /api/withdrawal')).toBe(2))
})

test('a purchase whose dialog was closed meanwhile is told in the page when it fails', async () => {
  const purchase = await paying()
  const close = await page.see('dialog .icon-btn')
  close.click()
  await eventually(() => expect(page.find('dialog button')).toBeUndefined())
  purchase.settle(refused('ALREADY_HAS_PREMIUM'))
  await page.see('[role=alert]', 'The words of ALREADY_HAS_PREMIUM.')
})

test('the missing amount is suggested as a top-up', async () => {
  page = shownPage(<PremiumPage />, { 'GET /api/premium': () => Response.json(view(389)) })
  const buy = await page.see('button', /Maximus/i)
  buy.click()
  expect((await page.see('dialog a')).getAttribute('href')).toBe('/dashboard/balance/summary?amount=1700')
})

test('a tier sells spins, its discount and collaborators, and no backups before they are built', async () => {
  const losses = [
    { benefit: 'backupSlots', from: 5, to: 1, above: [] },
    { benefit: 'discountPercent', from: 10, to: 0, above: [] },
  ]
  page = shownPage(<PremiumPage />, { 'GET /api/premium': () => Response.json({ ...view(5000), losses }) })
  await page.see('.tier', /Free spins.*Discount/)
  expect([isBuilt('saves'), isBuilt('users')]).toEqual([false, true])
  expect(page.text()).not.toMatch(/backup/i)
  await page.see('.tier', /Collaborators per server/)
  expect(page.find('.losses li')).toBeDefined()
})
