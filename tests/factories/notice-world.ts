import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import type { Notification } from '#contracts/http/notification.ts'
import { notifyUser } from '../../control-plane/messages/notices/notify-user.ts'
import type { OutgoingMail } from '../../control-plane/messages/mail/mail-transport.ts'
import { sendMail } from '../../control-plane/messages/mail/send-mail.ts'
import { tellNotice } from '../../control-plane/messages/notices/tell-notice.ts'
import type { FaultPoint } from '#platform/fault-point.ts'
import { systemIds } from '#platform/ids.ts'
import { createMetrics } from '../../control-plane/platform/metrics.ts'
import { httpsPushService } from '../../control-plane/messages/push/https-push-service.ts'
import { loadPushKey } from '../../control-plane/messages/push/push-keys.ts'
import { subscribePush } from '../../control-plane/messages/push/push-subscriptions.ts'
import { sendPush } from '../../control-plane/messages/push/send-push.ts'
import { startPushService, type PushEmulator } from '../emulators/push/push-server.ts'
import { ManualClock } from '../setup/manual-clock.ts'
import { writeCertificate } from '../support/test-certificate.ts'
import { platformDatabase, testContext, type PlatformDatabase } from './platform-database.ts'

export const SECRET = 'the secret of this control plane'
const facts = () => Promise.resolve({ hostName: 'Bakter', siteUrl: 'https://host.example' })

export type Anna = { readonly userId: string; readonly sessionId: string }

/**
 * A database, a push service with browsers, a mail server that accepts everything, and people who get notifications.
 */
export async function noticeWorld() {
  const database: PlatformDatabase = await platformDatabase()
  const folder = mkdtempSync(joinPath(tmpdir(), 'bakter-notices-'))
  const files = writeCertificate(folder, { name: 'localhost', days: 2 })
  const cert = readFileSync(files.certificate, 'utf8')
  const pushes: PushEmulator = await startPushService({ key: readFileSync(files.key, 'utf8'), cert })
  rmSync(folder, { recursive: true })
  // Signatures of pushes contain the time of this machine.
  const clock = new ManualClock(Date.now())
  const mails: OutgoingMail[] = []
  const key = await loadPushKey(testContext(database.db), SECRET)
  // The time-out of production: a push that a busy machine does not answer in time would be sent twice.
  const resolved = { addresses: ['127.0.0.1'], isAllowed: () => true as boolean, timeoutMs: 15_000 }
  const service = httpsPushService({
    resolve: () => Promise.resolve(resolved.addresses),
    isAllowed: () => resolved.isAllowed(),
    now: () => clock.now(),
    timeoutMs: () => resolved.timeoutMs,
    port: pushes.port,
    ca: cert,
  })
  const metrics = createMetrics()
  const context = (faults: FaultPoint = async () => {}) => ({
    ...testContext(database.db, { clock, faults }),
    metrics,
    mailSecret: SECRET,
    mail: {
      transport: { name: 'test', send: (mail: OutgoingMail) => Promise.resolve(void mails.push(mail)) },
      sender: () => Promise.resolve({ name: 'Bakter', address: 'noreply@host.example' }),
      facts,
    },
    push: { service, key, contact: () => Promise.resolve('mailto:noreply@host.example'), facts },
  })
  const join = async (changes: { language?: string; verified?: boolean } = {}): Promise<Anna> => {
    const userId = systemIds.next()
    await database.owner.query(
      `insert into cms_api.people (id, username, identifier, email, language, verified)
       values ($1, $2, 'acdefghj', $3, $4, $5)`,
      [userId, `u-${userId}`, `${userId}@example.com`, changes.language ?? 'en', changes.verified ?? true],
    )
    return { userId, sessionId: systemIds.next() }
  }
  const subscribe = async (session: Anna) => {
    const subscription = pushes.subscribe(key.publicKey)
    const answer = await subscribePush(context(), { session, subscription })
    if (!answer.ok) throw new Error(answer.code)
    return subscription
  }
  /** Stores a notification and returns its id. */
  const notify = async (who: Anna, text: Notification['text'], data: Notification['data'] = {}): Promise<string> => {
    await database.db.transaction((tx) =>
      notifyUser(tx, context(), { userId: who.userId, text, data, requestId: 'request-1' }),
    )
    const [row] = await database.db.query<{ id: string }>(
      'select id from control.notifications where user_id = $1 order by id desc limit 1',
      [who.userId],
    )
    return row?.id ?? ''
  }
  const pushIdsOf = async (notificationId: string) =>
    (
      await database.db.query<{ id: string }>(
        'select id from control.push_messages where notification_id = $1 order by id',
        [notificationId],
      )
    ).map(({ id }) => id)
  /** Runs the tasks of one notification: its delivery, mail and pushes. */
  const tell = async (notificationId: string) => {
    await tellNotice(context(), notificationId, 'request-1')
    await sendMail(context(), notificationId)
    for (const id of await pushIdsOf(notificationId)) await sendPush(context(), id)
  }
  const close = async () => {
    await pushes.close()
    await database.close()
  }
  return {
    database,
    pushes,
    clock,
    mails,
    key,
    resolved,
    metrics,
    context,
    join,
    subscribe,
    notify,
    pushIdsOf,
    tell,
    close,
  }
}

export type NoticeWorld = Awaited<ReturnType<typeof noticeWorld>>
