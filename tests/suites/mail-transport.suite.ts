import { randomUUID } from 'node:crypto'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MailFailure, type MailTransport, type OutgoingMail } from '../../control-plane/messages/mail/mail-transport.ts'

export type TransportFixture = {
  readonly transport: MailTransport
  /** Every sent mail as bytes, oldest first. */
  readonly sent: () => Promise<Buffer[]>
  readonly close: () => Promise<void>
}

export const outgoingMail = (changes: Partial<OutgoingMail> = {}): OutgoingMail => {
  const id = randomUUID()
  return {
    id,
    messageId: `<${id}@host.example>`,
    from: { name: 'Bakter Őrház', address: 'noreply@host.example' },
    to: 'anna@example.com',
    subject: 'Erősítsd meg – bestätige: „ű“',
    html: '<p>Árvíztűrő tükörfúrógép</p>',
    text: 'Árvíztűrő tükörfúrógép',
    language: 'hu',
    createdAtMs: Date.UTC(2026, 10, 21, 12),
    ...changes,
  }
}

/** Recipients that must never reach a mail server: some program has read each as another mailbox. */
const ODD_ADDRESSES = [
  ['a quoted address before another domain (CVE-2025-13033)', '"anna@evil.example x"@example.com'],
  ['a second address (CVE-2020-7769, CVE-2026-82659)', 'anna@example.com, eve@evil.example'],
  ['a second header (CVE-2021-23400)', 'anna@example.com\r\nBcc: eve@evil.example'],
  ['a second command', 'anna@example.com>\r\nRCPT TO:<eve@evil.example'],
  ['a name with an address', 'Anna <eve@evil.example>'],
  ['a group', 'friends: eve@evil.example, anna@example.com;'],
  ['a comment', 'anna@example.com(eve@evil.example)'],
  ['an option of a program (CVE-2020-7769)', '-OQueueDirectory=/tmp@'],
  ['an encoded word', '=?utf-8?q?eve=40evil.example=3e?=@example.com'],
  ['a look-alike domain', 'anna@exаmple.com'],
  ['a NUL', 'anna@example.com\u0000.evil.example'],
] as const

/** The contract of every mail transport. */
export function mailTransportSuite(name: string, open: () => Promise<TransportFixture>): void {
  describe(`mails by ${name}`, () => {
    let fixture: TransportFixture
    beforeAll(async () => {
      fixture = await open()
    })
    afterAll(() => fixture.close())
    const last = async () => PostalMime.parse((await fixture.sent()).at(-1) ?? '')

    it('arrive as written, in both forms, with letters of every language', async () => {
      const mail = outgoingMail()
      await fixture.transport.send(mail)
      const arrived = await last()
      expect(arrived).toMatchObject({
        subject: mail.subject,
        from: { name: mail.from.name, address: mail.from.address },
        to: [{ address: mail.to }],
        messageId: mail.messageId,
        date: '2026-11-21T12:00:00.000Z',
      })
      expect(arrived.html?.trim()).toBe(mail.html)
      expect(arrived.text?.trim()).toBe(mail.text)
      expect(arrived.attachments).toEqual([])
      const headers = Object.fromEntries(arrived.headers.map(({ key, value }) => [key, value]))
      expect(headers).toMatchObject({ 'auto-submitted': 'auto-generated', 'content-language': 'hu' })
    })

    it('have the same Message-ID when repeated', async () => {
      const mail = outgoingMail()
      await fixture.transport.send(mail)
      const first = (await last()).messageId
      await fixture.transport.send(mail)
      expect([first, (await last()).messageId]).toEqual([mail.messageId, mail.messageId])
    })

    it.each(ODD_ADDRESSES)('refuse %s, and nothing is sent', async (_what, to) => {
      const before = (await fixture.sent()).length
      await expect(fixture.transport.send(outgoingMail({ to }))).rejects.toMatchObject({
        name: 'MailFailure',
        kind: 'permanent',
        code: 'ADDRESS_REFUSED',
      })
      expect(await fixture.sent()).toHaveLength(before)
    })

    it.each([
      ['a subject', { subject: 'Hello\r\nBcc: eve@evil.example' }],
      ["a sender's name", { from: { name: 'Host\nBcc: eve@evil.example', address: 'noreply@host.example' } }],
      ['a Message-ID', { messageId: '<1@host.example>\r\nBcc: eve@evil.example' }],
    ])('refuse %s that would begin another header (CVE-2021-23400)', async (_what, change) => {
      const before = (await fixture.sent()).length
      await expect(fixture.transport.send(outgoingMail(change))).rejects.toBeInstanceOf(MailFailure)
      expect(await fixture.sent()).toHaveLength(before)
    })

    it('read no file and no address that a text names (raw, path, href)', async () => {
      const text = 'file:///etc/passwd http://169.254.169.254/'
      const html = '<img src="file:///etc/passwd"><a href="http://169.254.169.254/">x</a>'
      const smuggled = { raw: { path: '/etc/passwd' }, attachments: [{ path: '/etc/passwd' }], cc: 'eve@evil.example' }
      await fixture.transport.send(Object.assign(outgoingMail({ text, html }), smuggled))
      const arrived = await last()
      expect(arrived.attachments).toEqual([])
      expect(arrived.cc).toBeUndefined()
      expect(arrived.html?.trim()).toBe(html)
      expect(arrived.text?.trim()).toBe(text)
      expect(JSON.stringify(arrived)).not.toContain('root:')
    })
  })
}
