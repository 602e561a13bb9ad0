import { expect, it } from 'vitest'
import {
  isAskedToRate,
  isDoneMerged,
  mayDo,
  mayServe,
  readsServerContext,
  standingOf,
  TICKET_RIGHTS,
  type TicketStanding,
} from '#domain/tickets/ticket-access.ts'

const ticket = { openerId: 'opener', addedIds: ['added', 'worker'], categoryId: 'billing' }
const someone = { userId: 'someone', isAdmin: false, isSupport: false, categoryIds: [] }
const support = { ...someone, isSupport: true, categoryIds: ['billing'] }

it.each([
  ['a stranger', someone, null],
  ['the opener', { ...someone, userId: 'opener' }, 'opener'],
  ['an added person', { ...someone, userId: 'added' }, 'added'],
  ['support with the category', support, 'staff'],
  ['support with another category', { ...support, categoryIds: ['technical'] }, null],
  ['support without a category', { ...support, categoryIds: [] }, null],
  ['somebody whose support role no longer counts', { ...support, isSupport: false }, null],
  ['an administrator', { ...someone, isAdmin: true }, 'staff'],
  ['an administrator who opened it', { ...someone, userId: 'opener', isAdmin: true }, 'opener'],
  ['support that was added', { ...support, userId: 'worker' }, 'staff'],
])('%s', (_, viewer, standing) => {
  expect(standingOf(viewer, ticket)).toBe(standing)
})

it('says who may do what', () => {
  const allowed = (standing: TicketStanding, isAdmin = false) =>
    TICKET_RIGHTS.filter((right) => mayDo(standing, right, { isAdmin }))
  expect(allowed('added')).toEqual(['read', 'message'])
  expect(allowed('opener')).toEqual(['read', 'message', 'close', 'reopen', 'rate'])
  expect(allowed('staff')).toEqual(['read', 'message', 'close', 'reopen', 'note', 'manage'])
  expect(allowed('staff', true)).toEqual(['read', 'message', 'close', 'reopen', 'note', 'manage', 'delete'])
  expect(allowed('opener', true)).not.toContain('delete')
})

it('a merged ticket is read and deleted, and nothing else is done with it', () => {
  expect(TICKET_RIGHTS.filter(isDoneMerged)).toEqual(['read', 'delete'])
})

it('support serves customers and not other staff, and administrators serve everybody', () => {
  const people = [
    { isAdmin: false, isSupport: false },
    { isAdmin: false, isSupport: true },
    { isAdmin: true, isSupport: false },
  ]
  expect(people.map((person) => mayServe({ isAdmin: false }, person))).toEqual([true, false, false])
  expect(people.map((person) => mayServe({ isAdmin: true }, person))).toEqual([true, true, true])
})

it('the opener alone is asked to rate, and once', () => {
  const unrated = { openerId: 'opener', rating: null }
  const asked = [isAskedToRate('opener', unrated), isAskedToRate('added', unrated)]
  expect([...asked, isAskedToRate('opener', { ...unrated, rating: 'good' })]).toEqual([true, false, false])
})

it('the facts that were sent along about a server are read by its opener and by staff, and by nobody who was added', () => {
  expect((['opener', 'staff', 'added'] as const).map(readsServerContext)).toEqual([true, true, false])
})
