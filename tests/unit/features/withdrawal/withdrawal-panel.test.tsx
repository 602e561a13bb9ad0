// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { WithdrawalReceipt } from '#contracts/http/withdrawal.ts'
import { WithdrawalPanel } from '../../../../src/features/withdrawal/withdrawal-panel.tsx'
import { eventually, held, refused, shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'
import { OFFER_INSTANT, OFFERED_ID, withdrawalOffer } from '../../../factories/withdrawal-offer.ts'

const offer = withdrawalOffer()
const receipt = { ...offer, confirmedAt: OFFER_INSTANT, withdrawalId: OFFERED_ID, id: OFFERED_ID }

let page: ShownPage
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})

/** A confirmation that is under way, and whose dialog was closed. */
const closedMeanwhile = async () => {
  const confirming = held()
  page = shownPage(<WithdrawalPanel />, {
    'GET /api/withdrawal': () => Response.json({ items: [offer] }),
    'POST /api/withdrawal': () => Response.json(offer),
    'POST /api/withdrawal/confirm': () => confirming.response,
  })
  const start = await page.see('button', 'Withdraw from contract here')
  start.click()
  const confirm = await page.see('button', /^Confirm withdrawal/)
  confirm.click()
  const keep = await page.see('dialog button[aria-disabled]', 'Keep')
  keep.click()
  expect(page.find('dialog button', 'Confirm withdrawal')).toBeDefined()
  const close = await page.see('dialog .icon-btn')
  close.click()
  await eventually(() => expect(page.find('dialog button')).toBeUndefined())
  return confirming
}

test('a dialog that is closed while the contract ends takes the result from nobody', async () => {
  const confirming = await closedMeanwhile()
  confirming.settle(Response.json(WithdrawalReceipt.parse(receipt)))
  expect(await page.see('[role=status]', 'Withdrawn on')).toBeDefined()
})

test('a confirmation that failed after its dialog was closed is told in the page', async () => {
  const confirming = await closedMeanwhile()
  confirming.settle(refused('CONTROL_PLANE_UNAVAILABLE'))
  expect(await page.see('[role=alert]', "We don't know")).toBeDefined()
})
