import { Notification, NOTIFICATION_KEYS } from '#contracts/http/notification.ts'
import { assertNever } from '#domain/kernel/assert.ts'
import { judgePush, type PushAnswer } from '#domain/notifications/push-outcome.ts'
import { mailBody } from '../mail/render-mail.ts'
import { noticeContent } from '../notices/notice-content.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { enqueueAll } from '../../platform/outbox-writer.ts'
import { tryOnce, type Claim, type Sending, type TryEnd } from '../sending/one-try.ts'
import { revive } from '../sending/revive.ts'
import { readPerson } from '../../cms/cms-reader.ts'
import { composePush, type PushTarget, type PushText } from './compose-push.ts'
import type { PushContext } from './push-context.ts'
import { PushAddressRefused, type OutgoingPush } from './push-service.ts'

type Row = PushTarget & {
  notification_id: string
  subscription_id: string
  user_id: string
  text: string
  data: unknown
}
type Deps = PushContext & { readonly metrics: Metrics }

const PUSHES: Sending = {
  name: 'push',
  table: 'control.push_messages',
  leaseMs: 60_000,
  columns: 's.endpoint, s.p256dh, s.auth, message.notification_id, message.subscription_id, n.user_id, n.text, n.data',
  joined: {
    from: 'control.push_subscriptions s, control.notifications n',
    on: 's.id = message.subscription_id and n.id = message.notification_id and n.user_id = s.user_id',
  },
  enqueue: (tx, deps, { tasks, ...due }) =>
    enqueueAll(tx, deps, {
      topic: 'push-send',
      tasks: tasks.map(({ id, requestId }) => ({ payload: { messageId: id }, requestId })),
      ...due,
    }),
}

const KNOWN: ReadonlySet<string> = new Set(NOTIFICATION_KEYS)
/** A push of a later release waits this long for one of its programs. */
const LATER_MS = 60_000

/**
 * Delivers one push, once, by `tryOnce`. A repetition has the same tag, and replaces the first on the reader's screen.
 */
export async function sendPush(deps: Deps, messageId: string): Promise<void> {
  await forgetEndedSession(deps, messageId)
  const tried = await tryOnce<Row>(deps, PUSHES, {
    id: messageId,
    attempt: async (claim, isStillOurs) => {
      if (!KNOWN.has(claim.row.text))
        return { kind: 'again', failure: 'of a later release', atMs: deps.clock.now() + LATER_MS }
      const push = await compose(deps, claim)
      if (!push) return { kind: 'failed', failure: 'nothing to say' }
      if (!(await isStillOurs())) return { kind: 'lost' }
      const answer = await deliver(deps, claim, push)
      return answer ? judge(deps, claim, answer) : { kind: 'gone' }
    },
  })
  if (tried) report(deps, tried.claim, tried.end)
}

/** An ended session receives nothing more, even if its subscription was written just after its end. */
const forgetEndedSession = ({ db }: Deps, messageId: string) =>
  db.query(
    `delete from control.push_subscriptions s using control.push_messages m, control.ended_sessions e
     where m.id = $1 and s.id = m.subscription_id and e.user_id = s.user_id
       and (e.session_id = s.session_id or (e.session_id is null and e.ended_at >= s.created_at))`,
    [messageId],
  )

/** A bell that counts new tickets has another id after each of them: what is shown of it is one all the same. */
const tagOf = ({ text, notification_id: id }: Row): string => (text === 'ticket.opened' ? 'new-tickets' : id)

/** A push has the title and first sentence of the mail, in the person's current language. */
async function compose({ db, clock, push }: Deps, { row, expiresAtMs }: Claim<Row>): Promise<OutgoingPush | undefined> {
  const { text, data } = Notification.pick({ text: true, data: true }).parse(row)
  const person = await readPerson(db, row.user_id)
  const content = await noticeContent(db, { userId: row.user_id, text, data })
  if (!person || !content || !('path' in content.params)) return undefined
  const { language } = person
  const { title, before } = mailBody(content, { language, facts: await push.facts() })
  const said: PushText = {
    title,
    body: before[0] ?? '',
    path: content.params.path,
    tag: tagOf(row),
    lang: language,
  }
  const lifeSeconds = Math.max(1, Math.floor((expiresAtMs - clock.now()) / 1_000))
  return composePush(row, said, { key: push.key, contact: await push.contact(), lifeSeconds })
}

async function deliver(
  deps: Deps,
  { row, requestId }: Claim<Row>,
  push: OutgoingPush,
): Promise<PushAnswer | undefined> {
  try {
    return await deps.push.service.deliver(push)
  } catch (error) {
    if (!(error instanceof PushAddressRefused)) throw error
    const line = { subscriptionId: row.subscription_id, requestId }
    deps.log.warn(line, 'the address of a push service is none of the internet: forgotten')
    await forget(deps, row)
    return undefined
  }
}

async function judge(
  deps: Deps,
  { id, row, tries, expiresAtMs, requestId }: Claim<Row>,
  answer: PushAnswer,
): Promise<TryEnd> {
  const outcome = judgePush(answer, { tries, nowMs: deps.clock.now(), expiresAtMs })
  const status = answer.kind === 'answered' ? String(answer.status) : answer.kind
  switch (outcome.kind) {
    case 'sent':
      return outcome
    case 'gone':
      await forget(deps, row)
      return outcome
    case 'failed':
      return { kind: 'failed', failure: `${outcome.reason}: ${status}` }
    case 'again':
      if (outcome.isOurs) {
        deps.log.error({ messageId: id, tries, status, requestId }, 'a push service does not take our key')
      }
      return { kind: 'again', failure: status, atMs: outcome.atMs }
    default:
      return assertNever(outcome)
  }
}

/** The browser no longer exists: its subscription is deleted, with everything queued for it. */
const forget = ({ db }: Deps, { subscription_id: id, endpoint }: Row) =>
  db.query('delete from control.push_subscriptions where id = $1 and endpoint = $2', [id, endpoint])

function report({ metrics, log }: Deps, { id, tries, requestId }: Claim<Row>, end: TryEnd): void {
  if (end.kind === 'lost') return
  metrics.pushes.inc({ outcome: end.kind === 'again' ? 'retried' : end.kind })
  const line = { messageId: id, tries, requestId }
  if (end.kind === 'sent') log.info(line, 'push handed over')
  if (end.kind === 'again') log.warn({ ...line, status: end.failure }, 'push not handed over, it is tried again')
  if (end.kind === 'failed') log.warn({ ...line, failure: end.failure }, 'push given up')
}

/** Creates a new task for each push that is due and has no sender. Returns their number. */
export const revivePushes = (deps: Pick<PushContext, 'db' | 'ids' | 'clock'>): Promise<number> => revive(deps, PUSHES)
