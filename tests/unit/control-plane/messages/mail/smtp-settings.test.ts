import { describe, expect, it } from 'vitest'
import type { SettingsRow } from '#contracts/cms-api/rows.ts'
import { chooseSmtp, senderOf, smtpSettingsFrom } from '../../../../../control-plane/messages/mail/smtp-settings.ts'
import { seal } from '../../../../../src/cms/fields/seal-secret.ts'

const key = { id: '1', key: new Uint8Array(32).fill(1) }
const keys = [{ id: '2', key: new Uint8Array(32).fill(2) }, key]
const row = (changes: Partial<SettingsRow> = {}): SettingsRow => ({
  host_name: 'Bakter',
  ordering: true,
  tickets: true,
  server_start: true,
  coupon_use: true,
  registration: true,
  smtp_host: null,
  smtp_port: null,
  smtp_username: null,
  smtp_password_sealed: null,
  smtp_from: null,
  smtp_name: null,
  ...changes,
})

describe('SMTP_URL', () => {
  it.each([
    ['smtp://mail.example', { host: 'mail.example', port: 587, username: undefined, password: undefined }],
    ['smtps://mail.example', { host: 'mail.example', port: 465, username: undefined, password: undefined }],
    ['smtp://a%40b:p%3Aw@mail.example:2525', { host: 'mail.example', port: 2525, username: 'a@b', password: 'p:w' }],
    ['smtp://[::1]:25', { host: '::1', port: 25, username: undefined, password: undefined }],
  ])('%s names a server', (address, settings) => {
    expect(smtpSettingsFrom(address)).toEqual(settings)
  })

  it.each(['mail.example', 'https://mail.example', 'smtp://', ''])('%j names none', (address) => {
    expect(smtpSettingsFrom(address)).toBeUndefined()
  })
})

describe('the mail server that counts', () => {
  const environment = smtpSettingsFrom('smtp://fallback.example')
  it('is the one of the environment until staff enter one', async () => {
    expect(await chooseSmtp(row(), { environment, keys })).toEqual(environment)
    expect(await chooseSmtp(row(), { environment: undefined, keys })).toBeUndefined()
  })

  it('is the one that staff entered, whose password is opened, also under a key that is not the newest', async () => {
    const password = await seal('hunter2', key)
    const entered = row({ smtp_host: 'mail.example', smtp_username: 'u', smtp_password_sealed: password })
    const expected = { host: 'mail.example', port: 587, username: 'u', password: 'hunter2' }
    expect(await chooseSmtp(entered, { environment, keys })).toEqual(expected)
  })

  it.each([
    ['its key is not there', () => seal('hunter2', { ...key, id: '3' })],
    ['another key has its id', () => seal('hunter2', { ...key, id: '2' })],
    ['a byte differs', async () => (await seal('hunter2', key)).replace(/.{4}$/, 'AAA=')],
    ['it was never sealed', () => Promise.resolve('hunter2')],
  ])('asks the operator when the password does not open: %s', async (_why, sealed) => {
    const entered = row({ smtp_host: 'mail.example', smtp_password_sealed: await sealed() })
    const choice = chooseSmtp(entered, { environment, keys })
    await expect(choice).rejects.toThrow('mail not handed over: PASSWORD_SEALED')
  })
})

describe('the sender', () => {
  it.each([
    [{}, 'https://host.example', undefined, { name: 'Bakter', address: 'noreply@host.example' }],
    [{}, 'https://host.example', 'mail@host.example', { name: 'Bakter', address: 'mail@host.example' }],
    [
      { smtp_from: 'a@b.example', smtp_name: 'Őr' },
      'https://host.example',
      'x@y.example',
      { name: 'Őr', address: 'a@b.example' },
    ],
    [{}, 'http://127.0.0.1:3000', undefined, { name: 'Bakter', address: 'noreply@bakter.test' }],
    [{}, 'http://localhost:3000', undefined, { name: 'Bakter', address: 'noreply@bakter.test' }],
    [
      { smtp_name: 'Two\r\nBcc: eve@evil.example' },
      'https://host.example',
      undefined,
      { name: 'Two Bcc: eve@evil.example', address: 'noreply@host.example' },
    ],
  ])('of %o at %s', (changes, siteUrl, from, sender) => {
    expect(senderOf(row(changes), { siteUrl, from })).toEqual(sender)
  })
})
