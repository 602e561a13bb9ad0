import { MailAddress, MessageId } from '#contracts/mail/mail.ts'
import { MailFailure, type OutgoingMail } from './mail-transport.ts'

const LINE_END = /[\r\n\u0000]/

/**
 * The message for the mail library. It has only these keys: the library also supports `raw`, attachments and paths and
 * addresses to read from, and none of them may come from outside.
 */
export function messageOptions(mail: OutgoingMail) {
  const { replyTo, bounceTo = mail.from.address, references = [] } = mail
  for (const address of [mail.to, mail.from.address, bounceTo, replyTo ?? mail.from.address]) {
    if (!MailAddress.safeParse(address).success) throw new MailFailure('permanent', 'ADDRESS_REFUSED')
  }
  if ([mail.subject, mail.from.name, mail.messageId].some((text) => LINE_END.test(text))) {
    throw new MailFailure('permanent', 'HEADER_REFUSED')
  }
  if (references.some((id) => !MessageId.safeParse(id).success)) throw new MailFailure('permanent', 'HEADER_REFUSED')
  return {
    messageId: mail.messageId,
    from: { name: mail.from.name, address: mail.from.address },
    // As an object, because the library would parse a text into names, groups and lists.
    to: { name: '', address: mail.to },
    envelope: { from: bounceTo, to: [mail.to] },
    ...(replyTo === undefined ? {} : { replyTo: { name: mail.from.name, address: replyTo } }),
    ...(references.length === 0 ? {} : { references: [...references], inReplyTo: references.at(-1) }),
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date: new Date(mail.createdAtMs),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'Content-Language': mail.language,
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
