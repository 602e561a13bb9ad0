import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import {
  dkimKeyFrom,
  MAIL_VARIABLES,
  mailProblems,
  mailSettings,
} from '../../../../../control-plane/messages/mail/mail-variables.ts'

const Variables = z.object(MAIL_VARIABLES)
const pkcs8 = (key: ReturnType<typeof generateKeyPairSync>['privateKey']): string =>
  key.export({ format: 'der', type: 'pkcs8' }).toString('base64')
const rsa = (modulusLength: number): string => pkcs8(generateKeyPairSync('rsa', { modulusLength }).privateKey)
const IMAP_URL = 'imaps://tickets:secret@mail.example'

describe('MAIL_DKIM', () => {
  it('a long RSA key is read with its selector', () => {
    const found = dkimKeyFrom(`2026-a.mail:${rsa(2_048)}`)
    expect(found?.selector).toBe('2026-a.mail')
    expect(found?.privateKey).toMatch(/^-----BEGIN PRIVATE KEY-----\n/)
  })

  it('a key that would leave mails unsigned, or weakly signed, is refused', () => {
    expect(dkimKeyFrom(`s1:${rsa(1_024)}`)).toBeUndefined()
    expect(dkimKeyFrom(`s1:${pkcs8(generateKeyPairSync('ed25519').privateKey)}`)).toBeUndefined()
    expect(dkimKeyFrom(`s1:${pkcs8(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)}`)).toBeUndefined()
  })

  it.each([
    ['no selector', ':AAAA'],
    ['a selector that ends a header', 's1\r\nBcc: eve:AAAA'],
    ['a selector with a dot at its end', 's1.:AAAA'],
    ['no key', 's1:'],
    ['bytes that are no key', 's1:AAAA'],
    ['a PEM file', 's1:-----BEGIN PRIVATE KEY-----'],
  ])('%s is refused', (_what, text) => {
    expect(dkimKeyFrom(text)).toBeUndefined()
  })
})

describe('the variables of mails', () => {
  it('empty ones count as missing', () => {
    const empty = Object.fromEntries(Object.keys(MAIL_VARIABLES).map((name) => [name, '']))
    const none = { smtp: undefined, from: undefined, folder: undefined, dkim: undefined, replies: undefined }
    expect(mailSettings(Variables.parse(empty))).toEqual(none)
    expect(mailProblems(Variables.parse(empty))).toEqual([])
  })

  it('replies need a mailbox and its address, and a sentence names the one that is missing', () => {
    const [box, address] = [Variables.parse({ IMAP_URL }), Variables.parse({ MAIL_REPLY_TO: 'tickets@host.example' })]
    expect([mailSettings(box).replies, mailSettings(address).replies]).toEqual([undefined, undefined])
    expect(mailProblems(box)).toEqual(['MAIL_REPLY_TO is missing: IMAP_URL needs it.'])
    expect(mailProblems(address)).toEqual(['IMAP_URL is missing: MAIL_REPLY_TO needs it.'])
  })

  it('both make replies possible; the header of spam is compared in lower case', () => {
    const variables = Variables.parse({
      IMAP_URL,
      MAIL_REPLY_TO: 'tickets@host.example',
      MAIL_SPAM_HEADER: 'X-Spam-Flag',
    })
    expect(mailProblems(variables)).toEqual([])
    expect(mailSettings(variables).replies).toMatchObject({
      imap: { host: 'mail.example', port: 993, folder: 'INBOX' },
      address: 'tickets@host.example',
      spamHeader: 'x-spam-flag',
    })
  })

  it.each([
    ['MAIL_REPLY_TO', 'tickets+a@host.example'],
    ['MAIL_REPLY_TO', 'a-local-part-with-many-letters@host.example'],
    ['MAIL_REPLY_TO', 'tickets'],
    ['MAIL_SPAM_HEADER', 'X-Spam: yes'],
    ['IMAP_URL', 'imaps://mail.example'],
    ['SMTP_URL', 'https://mail.example'],
    ['MAIL_DKIM', 's1:AAAA'],
  ])('%s=%s is refused', (name, value) => {
    expect(Variables.safeParse({ [name]: value }).success).toBe(false)
  })
})
