import { expect, test } from 'vitest'
import type { OwnTicketSign } from '../../../../src/contracts/gateway/events.ts'
import { SIGN_LASTS_MS } from '../../../../src/domain/tickets/ticket-sign.ts'
import { TicketSigns } from '../../../../src/lib/realtime/ticket-signs.ts'
import { manualTimers } from './manual-timers.ts'

const [ticketId, other] = ['01890000-0000-7000-8000-000000000001', '01890000-0000-7000-8000-000000000002']
const anna = { id: '01890000-0000-7000-8000-0000000000aa', username: 'anna' }
const ben = { id: '01890000-0000-7000-8000-0000000000bb', username: 'ben' }

const page = () => {
  const timers = manualTimers()
  const signs = new TicketSigns(timers)
  let changes = 0
  signs.watch(() => {
    changes += 1
  })
  return { timers, signs, changes: () => changes }
}

test('a sign is seen until it is not repeated any more', async () => {
  const { timers, signs } = page()
  signs.hear({ ticketId, sign: 'writing', by: anna })
  await timers.advance(SIGN_LASTS_MS - 1)
  signs.hear({ ticketId, sign: 'writing', by: anna })
  await timers.advance(SIGN_LASTS_MS - 1)
  expect(signs.of(ticketId)).toEqual([{ by: anna, sign: 'writing' }])
  await timers.advance(1)
  expect(signs.of(ticketId)).toEqual([])
  expect(timers.pending()).toEqual([])
})

test('each person has one sign, an end ends only theirs, and tickets are apart', () => {
  const { signs } = page()
  signs.hear({ ticketId, sign: 'answering', by: anna })
  signs.hear({ ticketId, sign: 'writing', by: ben })
  signs.hear({ ticketId, sign: 'writing', by: null })
  signs.hear({ ticketId, sign: 'writing', by: anna })
  expect(signs.of(ticketId)).toHaveLength(3)
  expect(signs.of(ticketId)).toContainEqual({ by: anna, sign: 'writing' })
  signs.hear({ ticketId, sign: 'ended', by: ben })
  expect(signs.of(ticketId).map(({ by }) => by?.username ?? null)).toEqual([null, 'anna'])
  expect(signs.of(other)).toEqual([])
})

test('a repetition changes nothing on the page', () => {
  const { signs, changes } = page()
  for (let at = 0; at < 3; at += 1) signs.hear({ ticketId, sign: 'writing', by: null })
  expect(changes()).toBe(1)
})

test('a page says its own sign over the link that it has, and nowhere without one', () => {
  const { signs } = page()
  const said: OwnTicketSign[] = []
  signs.say({ ticketId, sign: 'writing' })
  const leave = signs.use((sign) => said.push(sign))
  signs.say({ ticketId, sign: 'writing' })
  leave()
  signs.say({ ticketId, sign: 'ended' })
  expect(said).toEqual([{ ticketId, sign: 'writing' }])
})
