import { expect, it } from 'vitest'
import {
  isForSupport,
  CANNED_REPLIES_PATH,
  CATEGORY_FORMS_PATH,
  TICKET_CATEGORIES_PATH,
  ticketPath,
  TICKETS_PATH,
} from '../../../../src/cms/admin/ticket-area.ts'

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
  ['collections/canned-replies', true],
  ['collections/canned-replies/create', true],
  ['tickets', true],
  ['ticket', true],
  ['categories', true],
  ['ticket/0192aaaa-0000-7000-8000-000000000001', true],
  ['ticket-categories', false],
  ['collections/tickets', false],
  ['account', true],
  ['logout', true],
  ['login', true],
])('/admin/%s is for support: %s', (path, expected) => {
  expect(isForSupport(path.split('/').filter(Boolean))).toBe(expected)
})

it.each([
  TICKETS_PATH,
  ticketPath('0192aaaa-0000-7000-8000-000000000001'),
  TICKET_CATEGORIES_PATH,
  CATEGORY_FORMS_PATH,
  CANNED_REPLIES_PATH,
])('the way %s is one that support may go', (path) => {
  expect(isForSupport(path.replace('/admin/', '').split('/'))).toBe(true)
})
