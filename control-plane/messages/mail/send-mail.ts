import { MailContent, type MailKind } from '#contracts/mail/mail.ts'
import { Locale } from '#contracts/locale.ts'
import { assertNever } from '#domain/kernel/assert.ts'
import { retryMail } from '#domain/mail/retry.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { enqueueAll } from '../../platform/outbox-writer.ts'
import { openOwn } from '../../platform/own-seal.ts'
import { tryOnce, type Claim, type Sending, type TryEnd } from '../sending/one-try.ts'
import { revive } from '../sending/revive.ts'
import { sealLabel } from './accept-mail.ts'
import type { MailContext } from './mail-context.ts'
import type { MailAddresses } from '../inbox/mail-addresses.ts'
import { addressHash, isSuppressed, suppressAddress } from './suppression.ts'
import { MailFailure, type OutgoingMail } from './mail-transport.ts'
import { renderMail } from './render-mail.ts'

/** The failure of a mail whose address is known not to exist. */
const SUPPRESSED = 'SUPPRESSED'

type Row = { kind: MailKind; language: string; recipient: string; sealed: Buffer; created_at: Date }
type Deps = MailContext & { readonly metrics: Metrics }

const MAILS: Sending = {
  name: 'mail',
  table: 'control.mails',
  leaseMs: 180_000,
  columns: 'kind, language, recipient, sealed, created_at',
  // Codes and links are erased as soon as possible.
  emptied: 'sealed = null',
  enqueue: (tx, deps, { tasks, ...due }) =>
    enqueueAll(tx, deps, {
      topic: 'mail-send',
      tasks: tasks.map(({ id, requestId }) => ({ payload: { mailId: id }, requestId })),
      ...due,
    }),
}

/** Delivers one mail, once, by `tryOnce`; a repetition has the same Message-ID. Idempotent. */
export async function sendMail(deps: Deps, mailId: string): Promise<void> {
  const tried = await tryOnce<Row>(deps, MAILS, {
    id: mailId,
    attempt: async (claim, isStillOurs) => {
      if (await isRefused(deps, claim)) return { kind: 'failed', failure: SUPPRESSED }
      const mail = await compose(deps, claim).catch(failureOf)
      if (mail instanceof MailFailure) return judge(deps, claim, mail)
      if (!(await isStillOurs())) return { kind: 'lost' }
      const failure = await deps.mail.transport.send(mail).catch(failureOf)
      if (failure?.noAddress) await suppress(deps, claim, failure.noAddress)
      return failure ? judge(deps, claim, failure) : { kind: 'sent' }
    },
  })
  if (tried) report(deps, tried.claim, tried.end)
}

const isRefused = ({ db, clock, mailSecret }: Deps, { row }: Claim<Row>): Promise<boolean> =>
  isSuppressed(db, { hash: addressHash(row.recipient, mailSecret), kind: row.kind, nowMs: clock.now() })

/** The mail server said by itself what a report would say later. */
const suppress = ({ db, clock, mailSecret }: Deps, { row }: Claim<Row>, status: string): Promise<void> =>
  suppressAddress(db, { hash: addressHash(row.recipient, mailSecret), status, nowMs: clock.now() })

/** Any other exception is a bug of ours, which the next version may fix. */
const failureOf = (error: unknown): MailFailure =>
  error instanceof MailFailure ? error : new MailFailure('configuration', 'NOT_COMPOSED', { cause: error })

async function compose({ mail, mailSecret }: Deps, { id, row }: Claim<Row>): Promise<OutgoingMail> {
  const opened = openOwn(row.sealed, { secret: mailSecret, label: sealLabel(id) })
  const content = MailContent.parse(JSON.parse(opened.toString('utf8')))
  const [from, facts] = await Promise.all([mail.sender(), mail.facts()])
  const language = Locale.parse(row.language)
  const domain = from.address.split('@').at(-1) ?? ''
  return {
    id,
    messageId: `<${id}@${domain}>`,
    ...waysBack(mail.addresses, { id, content, domain }),
    from,
    to: row.recipient,
    language,
    createdAtMs: row.created_at.getTime(),
    ...(await renderMail(content, { language, facts })),
  }
}

/**
 * Where answers and reports of a mail go. All mails of one ticket refer to one id that no mail has, so that programs put them together.
 * Reports go to an address of ours only in the domain of the sender, with which the envelope must stay aligned.
 */
function waysBack(
  addresses: MailAddresses | undefined,
  { id, content, domain }: { id: string; content: MailContent; domain: string },
): Pick<OutgoingMail, 'replyTo' | 'bounceTo' | 'references'> {
  const { thread, isClosed = false } = content.kind === 'ticket.reply' ? content.params : {}
  const references = thread
    ? [`<ticket.${thread.ticketId}@${domain}>`, ...(thread.answerTo ? [thread.answerTo] : [])]
    : []
  if (addresses === undefined) return { references }
  const isAligned = addresses.plain.endsWith(`@${domain.toLowerCase()}`)
  return {
    references,
    ...(isAligned ? { bounceTo: addresses.bounceTo(id) } : {}),
    ...(thread && !isClosed ? { replyTo: addresses.replyTo(thread) } : {}),
  }
}

const lineOf = ({ id, row, tries, requestId }: Claim<Row>) => ({ mailId: id, kind: row.kind, tries, requestId })

function judge(deps: Deps, claim: Claim<Row>, { kind, code }: MailFailure): TryEnd {
  if (kind === 'configuration') {
    deps.metrics.mailAlarms.inc({ reason: 'configuration' })
    const line = { ...lineOf(claim), failure: code }
    deps.log.error(line, 'mails cannot be sent: the settings of the mail server need a look')
  }
  if (kind === 'permanent') return { kind: 'failed', failure: code }
  const retry = retryMail({ tries: claim.tries, nowMs: deps.clock.now(), expiresAtMs: claim.expiresAtMs })
  if (!retry.again) return { kind: 'failed', failure: `${retry.reason}: ${code}` }
  return { kind: 'again', failure: code, atMs: retry.atMs }
}

function report({ metrics, log }: Deps, claim: Claim<Row>, end: TryEnd): void {
  const line = lineOf(claim)
  const { kind } = claim.row
  switch (end.kind) {
    case 'sent':
      metrics.mails.inc({ kind, outcome: 'sent' })
      return log.info(line, 'mail handed over')
    case 'again':
      metrics.mails.inc({ kind, outcome: 'retried' })
      return log.warn({ ...line, failure: end.failure }, 'mail not handed over, it is tried again')
    case 'failed':
      metrics.mails.inc({ kind, outcome: 'given up' })
      // Known before: nobody has to look.
      if (end.failure === SUPPRESSED)
        return log.info({ ...line, failure: end.failure }, 'mail not sent: its address does not exist')
      metrics.mailAlarms.inc({ reason: 'given up' })
      return log.error({ ...line, failure: end.failure }, 'mail given up')
    case 'gone':
    case 'lost':
      return
    default:
      return assertNever(end)
  }
}

/** Creates a new task for each mail that is due and has no sender. Returns their number. */
export const reviveMails = (deps: Pick<MailContext, 'db' | 'ids' | 'clock'>): Promise<number> => revive(deps, MAILS)
