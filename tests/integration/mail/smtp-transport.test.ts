import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { smtpTransport } from '../../../control-plane/messages/mail/transports/smtp/smtp-transport.ts'
import type { SmtpSettings } from '../../../control-plane/messages/mail/smtp-settings.ts'
import { startSmtp, type SmtpEmulator, type SmtpFault } from '../../emulators/smtp/smtp-server.ts'
import { mailTransportSuite, outgoingMail } from '../../suites/mail-transport.suite.ts'
import { writeCertificate } from '../../support/test-certificate.ts'

const account = { username: 'bakter', password: 'the password of the mail server' }
const timeouts = { connectMs: 15_000, greetingMs: 15_000, silenceMs: 15_000, totalMs: 30_000 }
/** For a server that says nothing. */
const impatient = { ...timeouts, greetingMs: 500 }
let folder: string
let tls: { key: string; cert: string }
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bakter-smtp-'))
  const files = writeCertificate(folder, { name: 'localhost', days: 2 })
  tls = { key: readFileSync(files.key, 'utf8'), cert: readFileSync(files.certificate, 'utf8') }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const settingsOf = (smtp: SmtpEmulator, changes: Partial<SmtpSettings> = {}): SmtpSettings => ({
  host: '127.0.0.1',
  port: smtp.port,
  ...account,
  ...changes,
})
const transportTo = (smtp: SmtpEmulator, patience = timeouts) =>
  smtpTransport({ settings: () => Promise.resolve(settingsOf(smtp)), timeouts: patience, ca: tls.cert })

mailTransportSuite('SMTP', async () => {
  const smtp = await startSmtp({ account, tls })
  return {
    transport: transportTo(smtp),
    sent: () => Promise.resolve(smtp.received.map(({ raw }) => raw)),
    close: () => smtp.close(),
  }
})

describe('a mail server', () => {
  let smtp: SmtpEmulator
  beforeAll(async () => {
    smtp = await startSmtp({ account, tls })
  })
  afterAll(() => smtp.close())

  it('a mail server is contacted under TLS, with one recipient', async () => {
    smtp.set('nothing')
    await transportTo(smtp).send(outgoingMail())
    expect(smtp.received.at(-1)).toMatchObject({
      from: 'noreply@host.example',
      to: ['anna@example.com'],
      isSecure: true,
    })
  })

  it.each<[SmtpFault, object]>([
    ['busy', { kind: 'temporary', code: 'EENVELOPE 451' }],
    ['mailbox unknown', { kind: 'permanent', code: 'EENVELOPE 550' }],
    ['message refused', { kind: 'permanent', code: 'EMESSAGE 554' }],
    ['sender refused', { kind: 'configuration', code: 'EENVELOPE 550' }],
    ['password refused', { kind: 'configuration', code: 'EAUTH 535' }],
    ['no encryption', { kind: 'configuration', code: expect.stringMatching(/^ETLS/) }],
    ['silent', { kind: 'temporary', code: 'ETIMEDOUT' }],
  ])('a failure by "%s" causes the right delay', async (fault, failure) => {
    const before = smtp.received.length
    smtp.set(fault)
    const transport = transportTo(smtp, fault === 'silent' ? impatient : timeouts)
    await expect(transport.send(outgoingMail())).rejects.toMatchObject(failure)
    expect(smtp.received).toHaveLength(before)
  })

  it('after a disconnect during the data the mail is retried, recognizably', async () => {
    const mail = outgoingMail()
    smtp.set('cut after data')
    await expect(transportTo(smtp).send(mail)).rejects.toMatchObject({ kind: 'temporary' })
    smtp.set('nothing')
    await transportTo(smtp).send(mail)
    const twice = smtp.received.slice(-2).map(({ raw }) => raw.toString('utf8'))
    expect(twice.every((raw) => raw.includes(`Message-ID: ${mail.messageId}`))).toBe(true)
  })

  it('a server with an untrusted certificate gets no password', async () => {
    smtp.set('nothing')
    const before = smtp.received.length
    const untrusting = smtpTransport({ settings: () => Promise.resolve(settingsOf(smtp)), timeouts })
    await expect(untrusting.send(outgoingMail())).rejects.toMatchObject({ name: 'MailFailure' })
    expect(smtp.received).toHaveLength(before)
  })

  it('an unreachable server is retried', async () => {
    const gone = await startSmtp({ account, tls })
    await gone.close()
    await expect(transportTo(gone).send(outgoingMail())).rejects.toMatchObject({ kind: 'temporary' })
  })

  it('a missing server is for the operator to configure', async () => {
    const transport = smtpTransport({ settings: () => Promise.resolve(undefined), timeouts })
    await expect(transport.send(outgoingMail())).rejects.toMatchObject({ kind: 'configuration', code: 'SMTP_NOT_SET' })
  })

  it('failure reports contain neither the server’s text, the address nor the password', async () => {
    smtp.set('mailbox unknown')
    const failure = await transportTo(smtp)
      .send(outgoingMail({ to: 'canary-address@example.com' }))
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({ message: 'mail not handed over: EENVELOPE 550' })
    expect(JSON.stringify(failure)).not.toMatch(/canary|no mailbox/)
  })

  it('a server on this machine without a password needs no encryption', async () => {
    const open = await startSmtp({ tls })
    open.set('no encryption')
    const local = smtpTransport({
      settings: () => Promise.resolve({ host: '127.0.0.1', port: open.port, username: undefined, password: undefined }),
      timeouts,
    })
    await local.send(outgoingMail())
    expect(open.received).toMatchObject([{ isSecure: false }])
    await open.close()
  })
})
