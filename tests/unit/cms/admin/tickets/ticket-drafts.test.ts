import { expect, it } from 'vitest'
import { ticketDraftsIn } from '../../../../../src/cms/admin/tickets/ticket-drafts.ts'

const storeOf = (held = new Map<string, string>()) => ({
  held,
  store: {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
    removeItem: (key: string) => void held.delete(key),
  },
})
const place = { userId: 'reader', ticketId: 'ticket', mode: 'reply' } as const

it('keeps one draft for each person, ticket and mode, and forgets an empty one', () => {
  const { held, store } = storeOf()
  const drafts = ticketDraftsIn(() => store)
  drafts.keep(place, 'half a reply')
  expect(drafts.read(place)).toBe('half a reply')
  for (const other of [{ mode: 'note' }, { userId: 'other' }, { ticketId: 'other' }] as const)
    expect(drafts.read({ ...place, ...other })).toBe('')
  drafts.keep(place, '')
  expect(held.size).toBe(0)
})

it('reply and note of a ticket that was merged go to the other one, each below the words that are there', () => {
  const { held, store } = storeOf()
  const drafts = ticketDraftsIn(() => store)
  const target = { ...place, ticketId: 'target' }
  drafts.keep({ ...target, mode: 'note' }, 'First')
  drafts.keep(place, 'half a reply')
  drafts.keep({ ...place, mode: 'note' }, 'half a note')
  for (let again = 0; again < 2; again += 1) drafts.move(place, 'target')
  expect(drafts.read(target)).toBe('half a reply')
  expect(drafts.read({ ...target, mode: 'note' })).toBe('First\n\nhalf a note')
  expect(held.size).toBe(2)
})

it('a text stays with the merged ticket where the storage has no room for both', () => {
  const { held, store } = storeOf()
  ticketDraftsIn(() => store).keep(place, 'half a reply')
  const setItem = () => {
    throw new Error('no room')
  }
  ticketDraftsIn(() => ({ ...store, setItem })).move(place, 'target')
  expect([...held.values()]).toEqual(['half a reply'])
})

it('a browser without storage keeps nothing and breaks nothing', () => {
  const drafts = ticketDraftsIn(() => {
    throw new Error('storage is switched off')
  })
  drafts.keep(place, 'half a reply')
  expect(drafts.read(place)).toBe('')
})
