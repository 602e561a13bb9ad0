import { createHash } from 'node:crypto'
import type { PersonRow } from '#contracts/cms-api/rows.ts'
import { endsAddress, isAutomatic, type MailHeader } from '#domain/mail/received-mail.ts'
import { MAIL_BOUNDS, type MailFacts } from '#domain/tickets/mail-decision.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { findVerifiedPerson, isSuspended } from '../../cms/cms-reader.ts'
import type { MailAddresses } from '../../messages/inbox/mail-addresses.ts'
import type { InboxMail } from '../../messages/inbox/mail-inbox.ts'
import type { MailContent } from '../../messages/inbox/mail-content.ts'

const HOUR_MS = 3_600_000

/** Mail servers write the address that they deliver to into one of these. */
const RECIPIENTS = ['to', 'cc', 'delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to']

/**
 * A person whose verified address sent the mail to the address that was signed for them and the ticket `addressedId`. `ticketId` is where their words go:
 * the ticket into which that one was merged, or itself.
 */
export type Matched = {
  readonly ticketId: string
  readonly addressedId: string
  readonly openerId: string
  readonly person: PersonRow
}

/** A report about a mail of ours, to an address that only this mail had. */
export type Reported = {
  readonly mailId: string
  readonly status: string
  readonly isFinal: boolean
  readonly recipients: readonly string[]
}

/** A received mail with everything that follows from its own bytes. */
export type ReadMail = MailContent & {
  readonly place: InboxMail
  readonly recipients: readonly string[]
  readonly isSpam: boolean
}

const isMarkedSpam = (headers: readonly MailHeader[], name: string | undefined): boolean =>
  name !== undefined && headers.some((header) => header.name === name && /^\s*(?:yes|true)\b/i.test(header.value))

/** `spamHeader` is the header in which the operator's filter says yes or no, in lower case. */
export const readMail = (place: InboxMail, content: MailContent, spamHeader: string | undefined): ReadMail => {
  const headers = content.parsed?.headers ?? []
  return {
    ...content,
    place,
    recipients: headers.filter(({ name }) => RECIPIENTS.includes(name)).map(({ value }) => value),
    isSpam: isMarkedSpam(headers, spamHeader),
  }
}

/** The sender and the ticket of a mail; null unless address, signature and sender belong together. */
export async function matchMail(
  sql: Sql,
  { parsed, recipients }: ReadMail,
  addresses: MailAddresses,
): Promise<Matched | null> {
  const sender = parsed?.sender ?? null
  const found = addresses.find(recipients).filter((address) => address.kind === 'reply')
  const person = sender === null || found.length === 0 ? undefined : await findVerifiedPerson(sql, sender)
  if (person === undefined || (await isSuspended(sql, person.id))) return null
  for (const { identifier, mark } of found) {
    const [ticket] = await sql.query<{ id: string; target: string; opener_id: string }>(
      'select id, coalesce(merged_into, id) as target, opener_id from control.tickets where identifier = $1',
      [identifier],
    )
    if (ticket && addresses.isReplyOf(mark, { ticketId: ticket.id, userId: person.id }))
      return { ticketId: ticket.target, addressedId: ticket.id, openerId: ticket.opener_id, person }
  }
  return null
}

/** A mail server's report about a mail of ours; null for everything that does not prove to be one. */
export const reportedMail = (
  { parsed, recipients: addressed }: ReadMail,
  addresses: MailAddresses,
): Reported | null => {
  if (!parsed?.report) return null
  const found = addresses
    .find(addressed)
    .find((address) => address.kind === 'bounce' && addresses.isBounceOf(address.mark, address.mailId))
  if (found?.kind !== 'bounce') return null
  const { status, recipients } = parsed.report
  return { mailId: found.mailId, status, isFinal: endsAddress(parsed.report), recipients }
}

/** The same mail at another place has the same digest: of its Message-ID, or of its bytes without one. */
export const digestOf = ({ parsed, sourceSha256 }: ReadMail, matched: Matched | null): Buffer => {
  const id = parsed?.messageId ?? sourceSha256
  return createHash('sha256')
    .update(JSON.stringify([id, parsed?.sender ?? null, matched?.addressedId ?? null]))
    .digest()
}

/** As a row has it. */
export const textHashOf = ({ textSha256 }: ReadMail): Buffer => Buffer.from(textSha256, 'hex')

type Earlier = { readonly hour: number; readonly same: number }

const earlierMails = async (
  tx: Sql,
  {
    senderHash,
    textHash,
    ticketId,
    nowMs,
  }: { senderHash: Buffer; textHash: Buffer; ticketId: string | null; nowMs: number },
): Promise<Earlier> => {
  const [row] = await tx.query<Earlier>(
    `select count(*) filter (where (outcome = 'message') = ($3::uuid is not null))::integer as hour,
       count(*) filter (where ticket_id = $3 and text_hash = $2 and outcome = 'message')::integer as same
     from control.received_mails where sender_hash = $1 and received_at > $4`,
    [senderHash, textHash, ticketId, new Date(nowMs - HOUR_MS)],
  )
  return row ?? { hour: 0, same: 0 }
}

type Known = {
  readonly matched: Matched | null
  readonly report: Reported | null
  readonly senderHash: Buffer | null
  /** Addresses of ours, from which nothing should come. */
  readonly own: readonly string[]
  readonly nowMs: number
}

/** Everything that decides about a mail. Facts that decide are read behind the lock of its sender. */
export async function factsOf(tx: Sql, mail: ReadMail, known: Known): Promise<MailFacts> {
  const { matched, report, senderHash, nowMs } = known
  const { parsed, place } = mail
  const sender = parsed?.sender ?? null
  const earlier =
    senderHash === null
      ? { hour: 0, same: 0 }
      : await earlierMails(tx, { senderHash, textHash: textHashOf(mail), ticketId: matched?.ticketId ?? null, nowMs })
  return {
    report,
    isReadable: parsed !== null,
    sender,
    isOwn: sender !== null && known.own.includes(sender),
    isAutomatic: isAutomatic(parsed?.headers ?? [], sender ?? ''),
    isSpam: mail.isSpam,
    isTooLarge: place.size > MAIL_BOUNDS.bytes,
    isMatched: matched !== null,
    sentThisHour: earlier.hour,
    sameTexts: earlier.same,
  }
}
