// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import { moveWriting } from '../../../../../src/features/support/writing/move-writing.ts'
import { ticketDrafts } from '../../../../../src/features/support/writing/ticket-draft.ts'
import { placeKey } from '../../../../../src/lib/attachments/kept-attachments.ts'

const userId = 'anna'
const kept = (message: string) => window.localStorage.getItem(placeKey({ userId, message }))
afterEach(() => window.localStorage.clear())

test('the text and the files of a reply that its ticket takes no more begin the one in which its writer goes on', () => {
  const file = { id: '01890000-0000-7000-8000-000000000001', name: 'latest.log', kind: 'text', size: 4 }
  const files = JSON.stringify([{ ...file, keptAtMs: Date.now() }])
  window.localStorage.setItem(placeKey({ userId, message: 'old' }), files)
  ticketDrafts.keep({ userId, ticket: 'old' }, { message: 'It lags again' })
  for (let visit = 0; visit < 2; visit += 1) moveWriting({ userId, ticket: 'old' }, 'after-old')
  expect(ticketDrafts.read({ userId, ticket: 'after-old' })).toEqual({ message: 'It lags again' })
  expect(ticketDrafts.read({ userId, ticket: 'old' })).toEqual({})
  expect([kept('old'), kept('after-old')]).toEqual([null, files])
})
