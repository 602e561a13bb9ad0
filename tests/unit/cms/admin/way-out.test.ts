import { expect, it } from 'vitest'
import { wayOutOfAdmin } from '../../../../src/cms/admin/way-out.ts'

const account = (grants: { isAdmin?: boolean; isSupport?: boolean }, awaitsFactor = false) => {
  return { id: '1', grants: { isAdmin: false, isSupport: false, ...grants }, awaitsFactor }
}

it.each([
  ['an administrator stays', account({ isAdmin: true }), null],
  ['support stays', account({ isSupport: true }), null],
  ['support stays while another role waits for a second factor', account({ isSupport: true }, true), null],
  [
    'a role that waits for a second factor leads to where it is set up',
    account({}, true),
    '/dashboard/settings/security#factor',
  ],
  ['a customer goes back', account({}), '/dashboard/summary'],
  ['an account that the session strategy did not look at goes back', { id: '1' }, '/dashboard/summary'],
])('%s', (_name, user, expected) => {
  expect(wayOutOfAdmin(user)).toBe(expected)
})
