import { expect, it } from 'vitest'
import { refusedAddress } from '#domain/mail/refused-address.ts'

it.each([
  ['550 5.1.1 No such user', '5.1.1'],
  ['550-5.1.1 The email account that you tried to reach does not exist.', '5.1.1'],
  ['553 5.1.2 We do not relay this domain', '5.1.2'],
  ['550 5.2.1 The account is disabled', '5.2.1'],
  ['550 No such user here', '5.1.1'],
  ['550 Unknown user', '5.1.1'],
  ['550 Unrouteable address', '5.1.1'],
  ['550 Requested action not taken: mailbox unavailable', '5.1.1'],
])('%s says that the address does not exist', (answer, status) => {
  expect(refusedAddress(answer)).toBe(status)
})

it.each([
  '550 5.7.1 The recipient does not want mail from you',
  '550 5.7.26 Unauthenticated mail of the user',
  '552 5.2.2 The mailbox is full',
  '554 5.7.1 <anna@example.test>: Relay access denied',
  '550 relay not permitted for this address',
  '550 Administrative prohibition',
  '550 Sender address rejected',
  '550 Blocked, see our policy for the recipient',
  '550',
  '450 4.1.1 Unknown user, later perhaps',
  '450 No such user yet',
  '554 No such user',
  '',
])('%s does not', (answer) => {
  expect(refusedAddress(answer)).toBeUndefined()
})
