import { TICKET_BOUNDS } from '#contracts/http/ticket.ts'
import { LOCALES } from '#contracts/locale.ts'
import { askedLanguage } from '#domain/mail/asked-language.ts'
import { isAbout } from '#domain/mail/received-mail.ts'
import { ATTACHMENT_BOUNDS, attachmentContent, attachmentName } from '#domain/tickets/attachment.ts'
import {
  answerTo,
  decideMail,
  mayAnswer,
  OLDEST_MAIL_MS,
  pageOfAnswer,
  type AnsweredMail,
  type DroppedMail,
  type MailDecision,
} from '#domain/tickets/mail-decision.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { VirusScanner } from '#platform/virus-scan/virus-scanner.ts'
import { acceptMail } from '../../messages/mail/accept-mail.ts'
import type { MailContext } from '../../messages/mail/mail-context.ts'
import { addressHash, liftSuppression, suppressAddress } from '../../messages/mail/suppression.ts'
import type { MailAddresses } from '../../messages/inbox/mail-addresses.ts'
import type { InboxMail, MailPlace } from '../../messages/inbox/mail-inbox.ts'
import type { ReadContent } from '../../messages/inbox/mail-content.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { canWriteMessage, writeLine } from '../answer-ticket.ts'
import { attachmentRoom, type NewFile } from '../ticket-attachments.ts'
import { leftOut, saidIn, sortFiles, withinRoom, type RewritePicture, type SortedFiles } from './mail-files.ts'
import {
  digestOf,
  factsOf,
  matchMail,
  readMail,
  reportedMail,
  textHashOf,
  type Matched,
  type ReadMail,
  type Reported,
} from './mail-facts.ts'

const DAY_MS = 86_400_000
const ANSWER_LIFE_MS = DAY_MS

export type TakingDeps = Pick<MailContext, 'db' | 'clock' | 'ids' | 'faults' | 'log' | 'mail' | 'mailSecret'> & {
  readonly metrics: Metrics
  readonly inbound: {
    readonly addresses: MailAddresses
    readonly readContent: ReadContent
    readonly rewritePicture: RewritePicture
    readonly spamHeader: string | undefined
  }
  readonly scanner: VirusScanner
}

/** The outcome of a mail: its text in the log, and in the counter of mails. */
export type MailOutcome = 'message' | 'bounce' | AnsweredMail | DroppedMail

type Prepared = {
  readonly mail: ReadMail
  /** Null: nobody has looked at its files, because it was to become no message. */
  readonly files: SortedFiles | null
  readonly own: readonly string[]
}
/** A decision after which the mail leaves the mailbox. */
type Settled = Exclude<MailDecision, { readonly kind: 'wait' }>
type Ended = { readonly outcome: MailOutcome; readonly answered?: boolean; readonly ticketId?: string | undefined }

const requestIdOf = ({ uidValidity, uid }: InboxMail): string => `mail:${uidValidity}:${uid}`

/** A text that is too long for a message goes with it as a file too: nothing of it is lost. */
const wholeText = ({ body, parsed }: ReadMail): NewFile[] => {
  if (body.text.length <= TICKET_BOUNDS.message && body.quoted.length <= TICKET_BOUNDS.message) return []
  const bytes = Buffer.from(parsed?.text ?? '').subarray(0, ATTACHMENT_BOUNDS.bytes)
  const content = attachmentContent(bytes)
  return content === null ? [] : [{ name: attachmentName('e-mail.txt', content), content, bytes }]
}

const NO_FILES: SortedFiles = { kept: [], refused: [] }

const senderHashOf = (deps: TakingDeps, { parsed }: ReadMail): Buffer | null =>
  parsed?.sender ? addressHash(parsed.sender, deps.mailSecret) : null

/** By mail everybody is a customer: no right of staff hangs on an address. */
const callerOf = ({ person: { id: userId, language: locale } }: Matched) => ({
  userId,
  isAdmin: false,
  isSupport: false,
  locale,
})

const isRepeated = async (sql: Sql, mail: ReadMail, matched: Matched): Promise<boolean> => {
  const again = await sql.query(`select 1 from control.received_mails where digest = $1 and outcome = 'message'`, [
    digestOf(mail, matched),
  ])
  return again.length > 0
}

/** Whether a mail would become a message by what is known before its transaction, which decides. */
async function isLikelyMessage(
  deps: TakingDeps,
  { mail, matched, own }: { mail: ReadMail; matched: Matched; own: readonly string[] },
): Promise<boolean> {
  const { db, clock, inbound } = deps
  const nowMs = clock.now()
  const report = reportedMail(mail, inbound.addresses)
  const facts = await factsOf(db, mail, { matched, report, senderHash: senderHashOf(deps, mail), own, nowMs })
  if (decideMail(facts).kind !== 'message' || (await isRepeated(db, mail, matched))) return false
  return canWriteMessage(db, { caller: callerOf(matched), ticketId: matched.ticketId, nowMs })
}

/** Files are scanned and pictures encoded before the transaction, and only for a mail that becomes a message. */
async function prepare(deps: TakingDeps, place: InboxMail): Promise<Prepared> {
  const { addresses, readContent, rewritePicture: rewrite, spamHeader } = deps.inbound
  const mail = readMail(place, await readContent(place.source), spamHeader)
  const { parsed } = mail
  const own = [addresses.plain, (await deps.mail.sender()).address.toLowerCase()]
  const sender = parsed?.sender ?? null
  const isOwn = sender !== null && (own.includes(sender) || addresses.find([sender]).length > 0)
  const matched = await matchMail(deps.db, mail, addresses)
  const known = { mail, own: isOwn && sender !== null ? [...own, sender] : own }
  const [sent, made] = [parsed?.files ?? [], wholeText(mail)]
  if (sent.length + made.length === 0) return { ...known, files: NO_FILES }
  if (matched === null || !(await isLikelyMessage(deps, { ...known, matched }))) return { ...known, files: null }
  return { ...known, files: await sortFiles({ sent, made }, { rewrite, scanner: deps.scanner }) }
}

/** Takes the place of the mail; false if somebody did before. */
const takePlace = async (
  tx: Sql,
  { mailbox, uidValidity, uid }: MailPlace,
  { outcome, nowMs }: { outcome: 'taken' | 'too-old'; nowMs: number },
): Promise<boolean> => {
  const written = await tx.query(
    `insert into control.received_mails (mailbox, uid_validity, uid, digest, outcome, received_at)
     values ($1, $2, $3, '', $4, $5) on conflict do nothing returning 1`,
    [mailbox, uidValidity, uid, outcome, new Date(nowMs)],
  )
  return written.length > 0
}

/** Whether the mail of a place was handled: it only has to leave the mailbox. */
export const isTaken = async (sql: Sql, { mailbox, uidValidity, uid }: MailPlace): Promise<boolean> => {
  const found = await sql.query(
    'select 1 from control.received_mails where mailbox = $1 and uid_validity = $2 and uid = $3',
    [mailbox, uidValidity, uid],
  )
  return found.length > 0
}

/** Tells the sender why their mail became no message, if they may be told. */
async function answer(
  tx: Sql,
  deps: TakingDeps,
  { prepared, matched, why }: { prepared: Prepared; matched: Matched | null; why: AnsweredMail },
): Promise<Ended> {
  const { place, parsed } = prepared.mail
  const to = parsed?.sender ?? ''
  const nowMs = deps.clock.now()
  const isMatched = matched !== null
  const [sent] = await tx.query<{ sender: number; all: number }>(
    `select count(*) filter (where sender_hash = $1)::integer as sender, count(*)::integer as all
     from control.received_mails where answered and received_at > $2 and (ticket_id is not null) = $3`,
    [addressHash(to, deps.mailSecret), new Date(nowMs - DAY_MS), isMatched],
  )
  if (!mayAnswer({ isMatched, toSender: sent?.sender ?? 0, toAll: sent?.all ?? 0 }))
    return { outcome: why, ticketId: matched?.ticketId }
  const path = pageOfAnswer(why, matched?.ticketId ?? null)
  const order = {
    id: deps.ids.next(),
    to,
    language: matched?.person.language ?? askedLanguage(parsed?.headers ?? [], LOCALES) ?? ('en' as const),
    expiresAt: new Date(nowMs + ANSWER_LIFE_MS).toISOString(),
    content: { kind: 'mail-answer' as const, params: { why, path } },
  }
  await acceptMail(tx, deps, { order, requestId: requestIdOf(place) })
  return { outcome: why, answered: true, ticketId: matched?.ticketId }
}

/** Somebody who answers by mail has read what was mailed to them, and nothing that came later. */
async function noteAnswer(
  tx: Sql,
  { matched, messageId }: { matched: Matched; messageId: string | null },
): Promise<void> {
  const { ticketId, addressedId } = matched
  const userId = matched.person.id
  await tx.query(
    `insert into control.ticket_mails (ticket_id, user_id, answer_to, mailed_seq)
     values ($1, $2, $3, (select max(seq) from control.ticket_messages where ticket_id = $1))
     on conflict (ticket_id, user_id) do update set answer_to = coalesce(excluded.answer_to, ticket_mails.answer_to)`,
    [ticketId, userId, messageId],
  )
  // They have answered mails of the ticket whose address they used, even if it was merged since.
  await tx.query(
    `insert into control.ticket_reads (ticket_id, user_id, read_seq)
     select ticket_id, user_id, mailed_seq from control.ticket_mails where ticket_id = $1 and user_id = $2
     on conflict (ticket_id, user_id) do update set read_seq = greatest(ticket_reads.read_seq, excluded.read_seq)`,
    [addressedId, userId],
  )
}

async function write(
  tx: Sql,
  deps: TakingDeps,
  { prepared, matched }: { prepared: Prepared; matched: Matched },
): Promise<Ended> {
  const { mail, files: sorted } = prepared
  const { person, ticketId } = matched
  const { id: userId, language } = person
  const found = sorted ?? NO_FILES
  const room = found.kept.length === 0 ? 0 : await attachmentRoom(tx, { userId, nowMs: deps.clock.now() })
  const files = withinRoom(found, room)
  const note = leftOut(files, language)
  const said = saidIn(mail.body.text, files, language)
  const longest = TICKET_BOUNDS.message - note.length - 2
  const text = [said.slice(0, longest).toWellFormed(), note].filter(Boolean).join('\n\n')
  const quoted = mail.body.quoted.slice(0, TICKET_BOUNDS.message).toWellFormed()
  const caller = callerOf(matched)
  const requestId = requestIdOf(mail.place)
  const line = { caller, ticketId, kind: 'message' as const, text, quoted, files: files.kept, requestId }
  const written = await writeLine(tx, deps, line)
  // It was merged in this moment: the mail stays in the mailbox, and its next reading finds where it goes on.
  if (!written.ok && written.code === 'TICKET_MERGED') throw new Error('Its ticket was merged while it was read')
  // Reopened in this moment: no file of it is lost.
  if (written.ok && sorted === null) throw new Error('Its ticket takes messages since it was read')
  if (!written.ok) {
    const why = answerTo(written.code, { isOpener: matched.openerId === userId })
    return answer(tx, deps, { prepared, matched, why })
  }
  await noteAnswer(tx, { matched, messageId: mail.parsed?.messageId ?? null })
  await liftSuppression(tx, addressHash(mail.parsed?.sender ?? '', deps.mailSecret))
  return { outcome: 'message', ticketId }
}

/** An address to which nothing can be delivered is remembered; whose it is, only the row of the mail says. */
async function noteBounce(tx: Sql, deps: TakingDeps, report: Reported): Promise<Ended> {
  const [row] = await tx.query<{ recipient: string }>('select recipient from control.mails where id = $1', [
    report.mailId,
  ])
  if (row && !isAbout(report.recipients, row.recipient)) return { outcome: 'automatic' }
  if (row) {
    const hash = addressHash(row.recipient, deps.mailSecret)
    await suppressAddress(tx, { hash, status: report.status, nowMs: deps.clock.now() })
  }
  return { outcome: 'bounce' }
}

async function act(
  tx: Sql,
  deps: TakingDeps,
  { prepared, matched, decision }: { prepared: Prepared; matched: Matched | null; decision: Settled },
): Promise<Ended> {
  const report = reportedMail(prepared.mail, deps.inbound.addresses)
  if (decision.kind === 'drop') return { outcome: decision.why, ticketId: matched?.ticketId }
  if (decision.kind === 'bounce') return report === null ? { outcome: 'automatic' } : noteBounce(tx, deps, report)
  if (decision.kind === 'answer') return answer(tx, deps, { prepared, matched, why: decision.why })
  if (matched === null) return { outcome: 'unmatched' }
  const { ticketId } = matched
  return (await isRepeated(tx, prepared.mail, matched))
    ? { outcome: 'repeated', ticketId }
    : write(tx, deps, { prepared, matched })
}

/** Decides and does everything for one mail, behind the lock of its sender, and notes it in the row of its place. */
async function take(tx: Sql, deps: TakingDeps, prepared: Prepared): Promise<Ended | null> {
  const { mail, own } = prepared
  const { place } = mail
  const nowMs = deps.clock.now()
  if (!(await takePlace(tx, place, { outcome: 'taken', nowMs }))) return null
  const senderHash = senderHashOf(deps, mail)
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 74))', [senderHash?.toString('hex') ?? 'nobody'])
  const matched = await matchMail(tx, mail, deps.inbound.addresses)
  const report = reportedMail(mail, deps.inbound.addresses)
  const facts = await factsOf(tx, mail, { matched, report, senderHash, own, nowMs })
  const decision = decideMail(facts)
  if (decision.kind === 'wait') throw new Error('Its sender has written more than the messages of an hour')
  const ended = await act(tx, deps, { prepared, matched, decision })
  await tx.query(
    `update control.received_mails set digest = $4, sender_hash = $5, text_hash = $6, ticket_id = $7, outcome = $8, answered = $9
     where mailbox = $1 and uid_validity = $2 and uid = $3`,
    [
      place.mailbox,
      place.uidValidity,
      place.uid,
      digestOf(mail, matched),
      senderHash,
      textHashOf(mail),
      ended.ticketId ?? null,
      ended.outcome,
      ended.answered ?? false,
    ],
  )
  await deps.faults('inbox.written')
  return ended
}

/** Nothing of a mail that waited for too long is read: its question may have been settled long ago. */
async function decided(deps: TakingDeps, place: InboxMail): Promise<Ended | null> {
  const nowMs = deps.clock.now()
  if (nowMs - place.arrivedAtMs > OLDEST_MAIL_MS) {
    return (await takePlace(deps.db, place, { outcome: 'too-old', nowMs })) ? { outcome: 'too-old' } : null
  }
  const prepared = await prepare(deps, place)
  await deps.faults('inbox.read')
  return deps.db.transaction((tx) => take(tx, deps, prepared))
}

/**
 * Handles one mail of the mailbox, once: what becomes of it and the note that it was handled are one transaction, and the mail leaves the
 * mailbox after it. A second time at the same place does nothing.
 */
export async function takeMail(deps: TakingDeps, place: InboxMail): Promise<void> {
  const ended = await decided(deps, place)
  if (ended === null) return
  deps.metrics.receivedMails.inc({ outcome: ended.outcome })
  const line = { uid: place.uid, bytes: place.size, outcome: ended.outcome, requestId: requestIdOf(place) }
  if (ended.outcome === 'message') deps.log.info(line, 'a mail became a message of a ticket')
  else deps.log.warn(line, 'a mail became no message')
  await deps.faults('inbox.stored')
}
