import type { InboxMail } from '../../control-plane/messages/inbox/mail-inbox.ts'

export type Letter = {
  readonly from?: string
  readonly to?: string
  readonly subject?: string
  readonly messageId?: string | null
  readonly headers?: readonly string[]
  readonly body?: string
}

/** A mail in plain text, as a program of a person writes it. */
export const letter = ({
  from = 'anna@example.test',
  to = 'tickets@host.example',
  subject = 'Re: Help',
  messageId = `<${Math.random().toString(36).slice(2)}@example.test>`,
  headers = [],
  body = 'It works now, thank you!',
}: Letter = {}): Buffer =>
  Buffer.from(
    [
      `From: ${from}`,
      `To: ${to}`,
      `Subject: ${subject}`,
      'Date: Fri, 20 Nov 2026 19:00:00 +0000',
      ...(messageId === null ? [] : [`Message-ID: ${messageId}`]),
      ...headers,
      ...(headers.some((line) => /^content-type:/i.test(line)) ? [] : ['Content-Type: text/plain; charset=utf-8']),
      '',
      body.replaceAll(/\r?\n/g, '\r\n'),
      '',
    ].join('\r\n'),
  )

export type Part = { readonly type: string; readonly name?: string; readonly bytes: Uint8Array | string }

/** A mail with a text and files. */
export const letterWithFiles = (
  parts: readonly Part[],
  { body = 'See the files.', ...changes }: Letter = {},
): Buffer => {
  const boundary = 'a-boundary'
  const files = parts.map(({ type, name, bytes }) =>
    [
      `--${boundary}`,
      `Content-Type: ${type}${name === undefined ? '' : `; name="${name}"`}`,
      'Content-Transfer-Encoding: base64',
      `Content-Disposition: attachment${name === undefined ? '' : `; filename="${name}"`}`,
      '',
      Buffer.from(bytes)
        .toString('base64')
        .replaceAll(/(.{76})/g, '$1\r\n'),
    ].join('\r\n'),
  )
  const text = [`--${boundary}`, 'Content-Type: text/plain; charset=utf-8', '', body].join('\r\n')
  return letter({
    ...changes,
    headers: [...(changes.headers ?? []), 'MIME-Version: 1.0', `Content-Type: multipart/mixed; boundary="${boundary}"`],
    body: [text, ...files, `--${boundary}--`].join('\r\n'),
  })
}

/** The report of a mail server that a mail could not be delivered (RFC 3464). */
export const bounceReport = (
  to: string,
  { status = '5.1.1', action = 'failed', recipient = 'gone@example.test' } = {},
): Buffer =>
  letter({
    from: 'MAILER-DAEMON@mx.example.test',
    to,
    subject: 'Undelivered Mail Returned to Sender',
    headers: [
      'Return-Path: <>',
      'Auto-Submitted: auto-replied',
      'MIME-Version: 1.0',
      'Content-Type: multipart/report; report-type=delivery-status; boundary="report"',
    ],
    body: [
      '--report',
      'Content-Type: text/plain',
      '',
      'I could not deliver your mail.',
      '--report',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example.test',
      '',
      `Final-Recipient: rfc822; ${recipient}`,
      `Action: ${action}`,
      `Status: ${status}`,
      '--report--',
    ].join('\r\n'),
  })

let uid = 0

/** The place of a mail in a mailbox, one after the other. */
export const placed = (source: Uint8Array, changes: Partial<InboxMail> = {}): InboxMail => {
  uid += 1
  return {
    mailbox: 'tickets@imap.example/INBOX',
    uidValidity: 7n,
    uid,
    size: source.length,
    arrivedAtMs: Date.UTC(2026, 10, 20, 19, 0),
    source,
    ...changes,
  }
}
