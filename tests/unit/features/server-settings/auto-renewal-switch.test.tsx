// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import type { RenewalQuote } from '#contracts/http/renewal.ts'
import { AutoRenewalSwitch } from '../../../../src/features/server-settings/auto-renewal-switch.tsx'
import { SHOWN_SERVER_ID } from '../../../factories/shown-server.ts'
import { eventually, held, shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'

let page: ShownPage | undefined
afterEach(() => {
  page?.close()
  vi.unstubAllGlobals()
})

test('the switch says that it waits while its choice is on the way, and takes another one after the answer', async () => {
  const answer = held()
  const quote = { monthlyFt: 1_200, autoRenewal: false } as RenewalQuote
  const shown = shownPage(<AutoRenewalSwitch serverId={SHOWN_SERVER_ID} quote={quote} />, {
    [`PUT /api/server/${SHOWN_SERVER_ID}/auto-renewal`]: () => answer.response,
  })
  page = shown
  const box = await shown.see<HTMLInputElement>('[role="switch"]')
  expect(box.hasAttribute('aria-disabled')).toBe(false)
  box.click()
  await eventually(() => expect(box.getAttribute('aria-disabled')).toBe('true'))
  box.click()
  expect(shown.calls).toHaveLength(1)
  answer.settle(Response.json({ error: { code: 'INTERNAL', message: 'No.', params: {} } }, { status: 500 }))
  await eventually(() => expect(box.hasAttribute('aria-disabled')).toBe(false))
})
