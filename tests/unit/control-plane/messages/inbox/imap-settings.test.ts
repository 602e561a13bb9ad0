import { expect, it } from 'vitest'
import { imapSettingsFrom } from '../../../../../control-plane/messages/inbox/imap-settings.ts'

const secure = { host: 'mail.example', port: 993, isSecure: true, username: 'a', password: 'p', folder: 'INBOX' }

it.each([
  ['imaps://a:p@mail.example', secure],
  ['imaps://a:p@mail.example:1993/', { ...secure, port: 1_993 }],
  ['imap://a:p@mail.example', { ...secure, port: 143, isSecure: false }],
  ['imap://a:p@[::1]:143/INBOX', { ...secure, host: '::1', port: 143, isSecure: false }],
  [
    'imaps://a%40b.example:p%3Aw%2F@mail.example/Tickets%2FNew',
    { ...secure, username: 'a@b.example', password: 'p:w/', folder: 'Tickets/New' },
  ],
])('%s names a mailbox', (address, settings) => {
  expect(imapSettingsFrom(address)).toEqual(settings)
})

it.each([
  ['no address', ''],
  ['no protocol', 'mail.example'],
  ['another protocol', 'https://a:p@mail.example'],
  ['POP', 'pop3s://a:p@mail.example'],
  ['no server', 'imaps://'],
  ['nobody', 'imaps://mail.example'],
  ['no password', 'imaps://a@mail.example'],
  ['a port that does not exist', 'imaps://a:p@mail.example:70000'],
  ['a broken escape', 'imaps://a:%E0%A4%A@mail.example'],
])('%s names none: %j', (_what, address) => {
  expect(imapSettingsFrom(address)).toBeUndefined()
})
