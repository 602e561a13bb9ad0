import { describe, expect, it } from 'vitest'
import { MailAddress, MailContent, MailOrder } from '#contracts/mail/mail.ts'

const ID = '01890000-0000-7000-8000-000000000000'
const verify = { kind: 'verify', params: { username: 'anna', code: '012345', minutes: 10 } }
const order = { id: ID, to: 'anna@example.com', language: 'hu', expiresAt: '2026-11-21T12:00:00Z', content: verify }
const reset = (path: string) => ({ kind: 'reset', params: { username: 'anna', path, minutes: 30 } })

describe('a mail of the contract', () => {
  it('is taken as it stands', () => {
    expect(MailOrder.parse(order)).toEqual(order)
  })

  it.each([
    ['a kind that does not exist', { kind: 'raw', params: {} }],
    ['parts that its row does not name', { ...verify, attachments: [{ path: '/etc/passwd' }] }],
    ['parameters that its row does not name', { ...verify, params: { ...verify.params, html: '<b>' } }],
    ['a code that is none', { ...verify, params: { ...verify.params, code: '12345' } }],
    ['a name of two lines', { ...verify, params: { ...verify.params, username: 'anna\r\nBcc: eve@evil.example' } }],
    [
      'a name that turns the direction of writing',
      { kind: 'expiry', params: { server: '\u202Egnp', at: order.expiresAt, path: '/x' } },
    ],
  ])('never has %s', (_what, content) => {
    expect(MailContent.safeParse(content).success).toBe(false)
  })

  it.each(['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)', '', '/a b', '/"><b>'])(
    'never links to %s (security case 22)',
    (path) => {
      expect(MailContent.safeParse(reset(path)).success).toBe(false)
    },
  )

  it('links to a page of the site', () => {
    expect(MailContent.parse(reset('/auth/passwordreset?token=a-_B9'))).toEqual(
      reset('/auth/passwordreset?token=a-_B9'),
    )
  })
})

it.each([
  'a@b@c.example',
  '"a b"@c.example',
  'a@localhost',
  'a@b.example\n',
  ' a@b.example',
  `${'a'.repeat(250)}@b.example`,
])('%j is no address for mails', (address) => {
  expect(MailAddress.safeParse(address).success).toBe(false)
})
