import { expect, it } from 'vitest'
import { isForSupport, TICKET_CATEGORIES_PATH } from '../../../../src/cms/admin/ticket-area.ts'

it.each([
  ['', false],
  ['collections', false],
  ['collections/users', false],
  ['collections/users/0192aaaa-0000-7000-8000-000000000001', false],
  ['collections/roles/create', false],
  ['collections/services', false],
  ['globals/settings', false],
  ['globals', false],
  ['money', false],
  ['money/ledger', false],
  ['overview', false],
  ['anything', false],
  ['collections/ticket-categories', true],
  ['collections/ticket-categories/0192aaaa-0000-7000-8000-000000000001', true],
  ['account', true],
  ['logout', true],
  ['login', true],
])('/admin/%s is for support: %s', (path, expected) => {
  expect(isForSupport(path.split('/').filter(Boolean))).toBe(expected)
})

it('the way to the tickets is one that support may go', () => {
  expect(isForSupport(TICKET_CATEGORIES_PATH.replace('/admin/', '').split('/'))).toBe(true)
})
