// @vitest-environment happy-dom
import { NextIntlClientProvider } from 'next-intl'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { WithdrawalOffer } from '#contracts/http/withdrawal.ts'
import { WithdrawalDialog } from '../../../../src/features/withdrawal/withdrawal-dialog.tsx'
import { ApiFailure } from '../../../../src/lib/browser-client/failure.ts'
import hungarian from '../../../../src/messages/hu.json'
import { withdrawalOffer as offer } from '../../../factories/withdrawal-offer.ts'

let place: HTMLDivElement
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  place = document.createElement('div')
  document.body.append(place)
})
afterEach(() => {
  place.remove()
  vi.unstubAllGlobals()
})

const show = async (shown: WithdrawalOffer, failure: unknown = null) => {
  const nothing = () => {}
  await act(() => {
    createRoot(place).render(
      <NextIntlClientProvider locale="hu" messages={hungarian} timeZone="Europe/Budapest">
        <WithdrawalDialog offer={shown} isBusy={false} failure={failure} onClose={nothing} onConfirm={nothing} />
      </NextIntlClientProvider>,
    )
  })
}
const plain = (text: string) => text.replaceAll(/\s/gu, ' ').trim()
const rows = () =>
  Array.from(document.querySelectorAll('dl.money > div'), (row) =>
    Array.from(row.children, (cell) => plain(cell.textContent)),
  )

test('says what comes back of premium, and what is kept for days, for spins and for discounts', async () => {
  await show(offer({ backFt: 1320, keptFt: 2170, keptSpinsFt: 400, keptDiscountsFt: 1350 }))
  expect(rows()).toEqual([
    ['Kifizetve', '3 490 Ft'],
    ['A felhasznált időért levonva', '−420 Ft'],
    ['A felhasznált ingyenes pörgetésekért levonva', '−400 Ft'],
    ['A kapott kedvezményekért levonva', '−1 350 Ft'],
    ['Visszatérítés az egyenlegre', '1 320 Ft'],
  ])
  expect(document.body.textContent).toContain(hungarian.withdrawal.discounts)
})

test('says of an offer of a release before that all comes back, and nothing of discounts', async () => {
  await show(offer())
  expect(rows()).toHaveLength(2)
  expect(document.body.textContent).toContain(hungarian.withdrawal.whole)
  expect(document.body.textContent).not.toContain(hungarian.withdrawal.discounts)
})

test('a server that is being set up is waited for, in words', async () => {
  await show(offer(), new ApiFailure({ status: 409, code: 'INVALID_STATE', message: 'x', requestId: 'r' }))
  expect(document.querySelector('[role=alert]')?.textContent).toContain(hungarian.withdrawal.installing)
})

test('an answer that did not come leaves open whether the contract has ended', async () => {
  await show(offer(), new ApiFailure({ status: 503, code: 'CONTROL_PLANE_UNAVAILABLE', message: 'x', requestId: 'r' }))
  expect(document.querySelector('[role=alert]')?.textContent).toContain(hungarian.withdrawal.unknown)
})
