// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { OwnTicketSign, TicketSignOf } from '#contracts/gateway/events.ts'
import { SIGN_EVERY_MS, SIGN_LASTS_MS } from '#domain/tickets/ticket-sign.ts'
import { ColleaguesLine } from '../../../../../src/cms/admin/tickets/colleagues-line.tsx'
import { Composer } from '../../../../../src/cms/admin/tickets/composer.tsx'
import { ticketSigns } from '../../../../../src/lib/realtime/ticket-signs.ts'
import { COLLEAGUE, CUSTOMER, queuedTicket, TICKET_ID, ticketLine } from '../../../../factories/staff-ticket.ts'
import { press, showAdmin, textOf, type, wait } from '../../../../support/admin-screen.tsx'

vi.mock('@payloadcms/ui', () => import('../../../../support/payload-ui.tsx'))

const PAUSE_MS = 6_000
let said: OwnTicketSign['sign'][] = []
let leave: () => void
beforeEach(() => {
  window.localStorage.clear()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'Date'] })
  said = []
  leave = ticketSigns.use(({ sign }) => said.push(sign))
})
afterEach(() => {
  leave()
  vi.useRealTimers()
})

const hear = (sign: TicketSignOf['sign'], [id, username]: readonly [string, string]) =>
  act(() => ticketSigns.hear({ ticketId: TICKET_ID, sign, by: { id, username } }))
const dora = [COLLEAGUE ?? '', 'dora'] as const
const anna = [CUSTOMER ?? '', 'anna'] as const
const composer = <Composer ticket={queuedTicket()} canReopen={false} reload={() => Promise.resolve()} />

test('everybody who is at work on the ticket is named with what they do, until it is over', async () => {
  await showAdmin(<ColleaguesLine ticketId={TICKET_ID} />, () => ({}))
  expect(textOf('.bakter-colleagues')).toBe('')
  hear('answering', dora)
  hear('writing', anna)
  expect(textOf('.bakter-colleagues')).toBe('dora has a reply to this ticket open. anna is writing…')
  hear('noting', dora)
  hear('ended', anna)
  expect(textOf('.bakter-colleagues')).toBe('dora is writing an internal note…')
  await wait(SIGN_LASTS_MS)
  expect(textOf('.bakter-colleagues')).toBe('')
})

test('a reply that is written, left and sent is said as that, and repeated as long as it lasts', async () => {
  await showAdmin(composer, () => ticketLine(1))
  await wait(SIGN_EVERY_MS)
  expect(said).toEqual([])
  await type('Reply to the customer', 'Dear Anna')
  expect(said.at(-1)).toBe('writing')
  await wait(SIGN_EVERY_MS)
  expect(said.filter((sign) => sign === 'writing').length).toBeGreaterThan(1)
  await wait(PAUSE_MS)
  expect(said.at(-1)).toBe('answering')
  await press('Send the reply')
  await act(async () => document.querySelector<HTMLElement>('textarea')?.blur())
  expect(said.at(-1)).toBe('ended')
  const before = said.length
  await wait(3 * SIGN_EVERY_MS)
  expect(said).toHaveLength(before)
})

test('a note is never said as a message', async () => {
  await showAdmin(composer, () => ticketLine(1))
  await press('Internal note')
  await type('Internal note', 'Careful')
  await wait(SIGN_EVERY_MS + PAUSE_MS)
  expect(new Set(said)).toEqual(new Set(['noting']))
})

test('a text that was left before is not written by looking at it', async () => {
  await showAdmin(composer, () => ticketLine(1))
  await type('Reply to the customer', 'Dear Anna')
  await wait(PAUSE_MS)
  await press('Internal note')
  said = []
  await press('Reply to the customer')
  await wait(SIGN_EVERY_MS)
  expect(said.length).toBeGreaterThan(0)
  expect(new Set(said)).toEqual(new Set(['answering']))
})

test('a page that is left ends what it said', async () => {
  await showAdmin(composer, () => ticketLine(1))
  await type('Reply to the customer', 'Dear Anna')
  act(() => void window.dispatchEvent(new Event('pagehide')))
  expect(said.at(-1)).toBe('ended')
})
