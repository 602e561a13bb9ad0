import { expect, test } from 'vitest'
import type { TicketAttachment } from '../../../../src/contracts/http/desk/ticket-entity.ts'
import { ATTACHMENT_WAITS_MS } from '../../../../src/domain/tickets/attachment.ts'
import { keptAttachmentsIn } from '../../../../src/lib/attachments/kept-attachments.ts'

const storage = () => {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}
const log = (at: number): TicketAttachment => ({
  id: `019a0000-0000-7000-8000-00000000000${at}`,
  name: `${at}.log`,
  kind: 'text',
  size: 10,
})
const place = { userId: 'anna', message: 'ticket' }

test('uploaded files are found again by the same person beside the same message, and by nobody else', () => {
  const store = storage()
  const kept = keptAttachmentsIn(
    () => store,
    () => 0,
  )
  kept.keep(place, [log(1), log(2)])
  expect(kept.read(place)).toEqual([log(1), log(2)])
  expect([kept.read({ ...place, userId: 'bela' }), kept.read({ ...place, message: 'other' })]).toEqual([[], []])
  kept.keep(place, [])
  expect(store.kept.size).toBe(0)
})

test('each is forgotten when the site forgets it, also if others came later', () => {
  let nowMs = 0
  const store = storage()
  const kept = keptAttachmentsIn(
    () => store,
    () => nowMs,
  )
  kept.keep(place, [log(1)])
  nowMs = 1_000
  kept.keep(place, [log(1), log(2)])
  nowMs = ATTACHMENT_WAITS_MS - 1
  expect(kept.read(place)).toEqual([log(1), log(2)])
  nowMs = ATTACHMENT_WAITS_MS
  expect(kept.read(place)).toEqual([log(2)])
})

test.each(['{', '[{"id":1}]', '"x"', 'null'])('%s in the storage is no file', (stored) => {
  const kept = keptAttachmentsIn(
    () => ({ ...storage(), getItem: () => stored }),
    () => 0,
  )
  expect(kept.read(place)).toEqual([])
})

test('a browser without storage keeps nothing and fails nothing', () => {
  const kept = keptAttachmentsIn(
    () => {
      throw new DOMException('', 'SecurityError')
    },
    () => 0,
  )
  kept.keep(place, [log(1)])
  expect(kept.read(place)).toEqual([])
})
