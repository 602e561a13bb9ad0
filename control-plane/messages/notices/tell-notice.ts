import { Notification, NOTIFICATION_KEYS } from '#contracts/http/notification.ts'
import { channelsOf, isMatrixKey, type Chosen, type MatrixKey } from '#domain/notifications/matrix.ts'
import { PUSH_LIFE_MS } from '#domain/notifications/push-outcome.ts'
import { acceptMail } from '../mail/accept-mail.ts'
import type { MailSealing } from '../mail/mail-context.ts'
import type { Context } from '../../platform/context.ts'
import { enqueueAll } from '../../platform/outbox-writer.ts'
import { readPeople } from '../../cms/cms-reader.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { noticeContent } from './notice-content.ts'
import { readChosenOf } from './notice-settings.ts'
import { unreadReplies } from './unread-replies.ts'

/** A notification is mailed within three days of the event; after that only the bell shows it. */
const MAIL_LIFE_MS = 3 * 86_400_000

type Row = { id: string; user_id: string; text: string; data: unknown; created_at: Date }
type Deps = Pick<Context, 'db' | 'ids' | 'clock' | 'faults' | 'log'> & MailSealing

/**
 * Sends a notification through the person's chosen channels besides the bell: a mail under the notification's own id,
 * and a push for each subscribed browser. All of it, and the mark that it was done, is one transaction, so a repetition
 * does nothing.
 */
export const tellNotice = (deps: Deps, notificationId: string, requestId: string): Promise<void> =>
  tellNotices(deps, [{ notificationId, requestId }])

/**
 * The same for many notifications: all of them, or none. Those that a later release has written are left to its programs, which take them up
 * by `reviveNotices`.
 */
export async function tellNotices(
  deps: Deps,
  waiting: readonly { readonly notificationId: string; readonly requestId: string }[],
): Promise<void> {
  const requests = new Map(waiting.map(({ notificationId, requestId }) => [notificationId, requestId]))
  await deps.db.transaction(async (tx) => {
    const rows = await tx.query<Row>(
      // In the order in which whoever counts new tickets takes the bells of several people.
      `with waiting as (
         select id from control.notifications where id = any ($1) and told_at is null and text = any ($3)
         order by user_id, id for update)
       update control.notifications n set told_at = $2 from waiting where n.id = waiting.id
       returning n.id, n.user_id, n.text, n.data, n.created_at`,
      [[...requests.keys()], new Date(deps.clock.now()), NOTIFICATION_KEYS],
    )
    await deps.faults('notice.taken')
    if (rows.length < requests.size) await noteUnknown(tx, deps, [...requests.keys()])
    if (rows.length > 0) await takeWays(tx, deps, { rows, requests })
    await deps.faults('notice.written')
  })
}

async function noteUnknown(tx: Sql, { log }: Deps, ids: readonly string[]): Promise<void> {
  const left = await tx.query<{ text: string }>(
    'select text from control.notifications where id = any ($1) and told_at is null and text <> all ($2)',
    [ids, NOTIFICATION_KEYS],
  )
  if (left.length === 0) return
  const texts = [...new Set(left.map(({ text }) => text))]
  log.warn({ notifications: left.length, texts }, 'notifications of a later release are left to it')
}

async function takeWays(
  tx: Sql,
  deps: Deps,
  { rows, requests }: { rows: readonly Row[]; requests: ReadonlyMap<string, string> },
): Promise<void> {
  const people = await readPeople(tx, [...new Set(rows.map(({ user_id: userId }) => userId))])
  if (people.length === 0) return
  const ids = people.map(({ id }) => id)
  const [browsersOf, chosenOf] = [await readBrowsers(tx, ids), await readChosenOf(tx, ids)]
  for (const row of rows) {
    const { text, data } = Notification.pick({ text: true, data: true }).parse(row)
    const person = people.find(({ id }) => id === row.user_id)
    if (!person || !isMatrixKey(text)) continue
    const browsers = browsersOf.get(person.id) ?? []
    const chosen = chosenOf.get(person.id)
    const ways = channelsOf(text, { chosen: chosen?.get(text), hasBrowser: browsers.length > 0 })
    const content = await noticeContent(tx, { userId: person.id, text, data })
    if (!content) continue
    const requestId = requests.get(row.id) ?? ''
    // An unverified address may belong to somebody else.
    if (ways.mail && person.verified && !(await isMailedByTickets(tx, { userId: person.id, text, data, chosen }))) {
      const expiresAt = new Date(row.created_at.getTime() + MAIL_LIFE_MS).toISOString()
      const order = { id: row.id, to: person.email, language: person.language, expiresAt, content }
      await acceptMail(tx, deps, { order, requestId })
    }
    if (ways.push) await acceptPushes(tx, deps, { row, browsers, requestId })
  }
}

type Mailed = {
  userId: string
  text: MatrixKey
  data: Notification['data']
  chosen: ReadonlyMap<string, Chosen> | undefined
}

/**
 * Whether the tickets mail it themselves: replies, when they stay unread, and that a ticket was closed where the mail
 * about such a reply is due to the person, because it says that as well. A person who has read the replies gets no such
 * mail, though it is still planned.
 */
async function isMailedByTickets(tx: Sql, { userId, text, data, chosen }: Mailed): Promise<boolean> {
  if (text === 'ticket.reply') return true
  const { ticketId } = data
  if (text !== 'ticket.closed' || ticketId === undefined) return false
  if (!channelsOf('ticket.reply', { chosen: chosen?.get('ticket.reply'), hasBrowser: false }).mail) return false
  const [due] = await tx.query<{ mailed_seq: bigint }>(
    'select mailed_seq from control.ticket_mails where ticket_id = $1 and user_id = $2 and due_at is not null',
    [ticketId, userId],
  )
  if (due === undefined) return false
  return (await unreadReplies(tx, { ticketId, userId, mailedSeq: due.mailed_seq, most: 1 })).length > 0
}

async function readBrowsers(tx: Sql, userIds: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
  const rows = await tx.query<{ id: string; user_id: string }>(
    'select id, user_id from control.push_subscriptions where user_id = any ($1)',
    [userIds],
  )
  const browsers = new Map<string, string[]>()
  for (const { id, user_id: userId } of rows) browsers.set(userId, [...(browsers.get(userId) ?? []), id])
  return browsers
}

async function acceptPushes(
  tx: Sql,
  deps: Deps,
  { row, browsers, requestId }: { row: Row; browsers: readonly string[]; requestId: string },
): Promise<void> {
  // A subscription that is being deleted at this moment is skipped: its pushes are deleted with it.
  const written = await tx.query<{ id: string }>(
    `insert into control.push_messages
       (id, notification_id, subscription_id, next_try_at, expires_at, request_id, created_at)
     select message.id, $3, browser.id, $4, $5, $6, $4
     from unnest($1::uuid[], $2::uuid[]) as message (id, subscription_id)
       join control.push_subscriptions browser on browser.id = message.subscription_id
     for key share of browser skip locked
     returning id`,
    [
      browsers.map(() => deps.ids.next()),
      browsers,
      row.id,
      new Date(deps.clock.now()),
      new Date(row.created_at.getTime() + PUSH_LIFE_MS),
      requestId,
    ],
  )
  const tasks = written.map(({ id: messageId }) => ({ payload: { messageId }, requestId }))
  await enqueueAll(tx, deps, { topic: 'push-send', tasks })
}

const BATCH = 200
/** Each notification has its own task; one that is unsent for longer than this has lost it. */
const LOST_AFTER_MS = 60_000

/** Creates a new task for each notification whose channels are still pending, and that this release knows. Returns their number. */
export async function reviveNotices(deps: Pick<Context, 'db' | 'ids' | 'clock'>): Promise<number> {
  const nowMs = deps.clock.now()
  return deps.db.transaction(async (tx) => {
    const rows = await tx.query<{ id: string }>(
      `select id from control.notifications where told_at is null and created_at between $1 and $2 and text = any ($3)
       order by created_at limit ${BATCH} for update skip locked`,
      [new Date(nowMs - MAIL_LIFE_MS), new Date(nowMs - LOST_AFTER_MS), NOTIFICATION_KEYS],
    )
    const tasks = rows.map(({ id }) => ({ payload: { notificationId: id }, requestId: `revived:${id}` }))
    await enqueueAll(tx, deps, { topic: 'notice-tell', tasks })
    return rows.length
  })
}
