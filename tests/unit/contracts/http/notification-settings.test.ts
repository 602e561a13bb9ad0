import { expect, test } from 'vitest'
import { PushEndpoint } from '#contracts/http/notification-settings.ts'

test.each([
  'https://fcm.googleapis.com/fcm/send/abc:def',
  'https://updates.push.services.mozilla.com/wpush/v2/gAAA',
  'https://web.push.apple.com/QGuQ',
  'https://wns2-par02p.notify.windows.com/w/?token=BQ%3d',
])('%s may take pushes', (endpoint) => {
  expect(PushEndpoint.parse(endpoint)).toBe(endpoint)
})

test.each([
  ['http://push.example.com/a', 'no encryption'],
  ['https://push.example.com:8443/a', 'a port of its own'],
  ['https://user:secret@push.example.com/a', 'a password'],
  ['https://push.example.com/a#b', 'a fragment'],
  ['https://127.0.0.1/a', 'an address'],
  ['https://2130706433/a', 'an address as one number'],
  ['https://0x7f.1/a', 'an address in another writing'],
  ['https://[::1]/a', 'an address of IPv6'],
  ['https://localhost/a', 'this machine'],
  ['https://localhost./a', 'this machine with its dot'],
  ['https://postgres/a', 'a neighbour'],
  ['https://db.internal/a', 'a name of an inner net'],
  ['https://printer.local/a', 'a name of the house'],
  ['https://x.localhost/a', 'this machine under another name'],
  ['file:///etc/passwd', 'a file'],
  ['//push.example.com/a', 'half an address'],
  [`https://push.example.com/${'a'.repeat(2_000)}`, 'too long'],
])('%s may not: %s', (endpoint) => {
  expect(PushEndpoint.safeParse(endpoint).success).toBe(false)
})
