import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Processors } from '../../../control-plane/platform/jobs/job-catalog.ts'
import { createDelivery } from '../../../control-plane/platform/jobs/queues.ts'
import { startWorkers } from '../../../control-plane/platform/jobs/workers.ts'
import { sendMail } from '../../../control-plane/messages/mail/send-mail.ts'
import { tellNotice } from '../../../control-plane/messages/notices/tell-notice.ts'
import { systemClock } from '#platform/clock.ts'
import { openPostgresBus } from '../../../control-plane/platform/event-bus.ts'
import { systemIds } from '#platform/ids.ts'
import { startOutboxRelay } from '../../../control-plane/platform/outbox-relay.ts'
import { openQueue, type TaskQueue } from '../../../control-plane/platform/queue.ts'
import { sendPush } from '../../../control-plane/messages/push/send-push.ts'
import { IDLE_PROCESSORS } from '../../factories/idle-processors.ts'
import { noticeWorld, type NoticeWorld } from '../../factories/notice-world.ts'
import { silentLog } from '#platform/logger.ts'
import { startTestRedis, type TestRedis } from '../../support/redis.ts'
import { waitFor } from '../../support/wait-for.ts'

const NOTICES = 10
let world: NoticeWorld
let redis: TestRedis
beforeAll(async () => {
  world = await noticeWorld()
  redis = await startTestRedis()
})
afterAll(async () => {
  await world.close()
  await redis.stop()
})

/** Two control planes as far as they tell people of things: relay and workers each. */
async function startTelling(open: () => TaskQueue): Promise<() => Promise<void>> {
  const closing: (() => Promise<void>)[] = []
  for (const _program of [1, 2]) {
    const context = { ...world.context(), clock: systemClock }
    const queue = open()
    const bus = await openPostgresBus(context)
    const processors: Processors = {
      ...IDLE_PROCESSORS,
      'notice-tell': ({ notificationId }, { requestId }) => tellNotice(context, notificationId, requestId),
      'mail-send': ({ mailId }) => sendMail(context, mailId),
      'push-send': ({ messageId }) => sendPush(context, messageId),
    }
    await startWorkers({ ...context, queue, processors })
    const relay = await startOutboxRelay({ ...context, deliver: createDelivery({ queue, bus }) })
    closing.push(async () => {
      await relay.close()
      await queue.close()
      await bus.close()
    })
  }
  return async () => void (await Promise.all(closing.map((close) => close())))
}

describe.each([
  ['PostgreSQL', () => ({})],
  ['Redis', () => ({ redisUrl: redis.url })],
] as const)('notifications with the queue on %s', (_name, options) => {
  it('each notification arrives once by mail and once as a push', async () => {
    const name = `notices-${systemIds.next()}`
    const close = await startTelling(() =>
      openQueue(name, { databaseUrl: world.database.url, log: silentLog, ...options() }),
    )
    const [mailsBefore, pushesBefore] = [world.mails.length, world.pushes.received.length]
    const anna = await world.join()
    await world.subscribe(anna)
    for (let at = 1; at <= NOTICES; at += 1) await world.notify(anna, 'topup.successful', { amount: at })
    const outcome = async () =>
      world.database.db.query<{ mails: bigint; pushes: bigint; waiting: bigint }>(
        `select (select count(*) from control.mails where state = 'sent' and recipient = $1) as mails,
           (select count(*) from control.push_messages m join control.push_subscriptions s on s.id = m.subscription_id
            where m.state = 'sent' and s.user_id = $2) as pushes,
           (select count(*) from control.outbox) as waiting`,
        [`${anna.userId}@example.com`, anna.userId],
      )
    await waitFor('everything', async () => {
      const [row] = await outcome()
      return row?.mails === BigInt(NOTICES) && row.pushes === BigInt(NOTICES) && row.waiting === 0n
    })
    await close()
    const subjects = world.mails.slice(mailsBefore).map(({ subject }) => subject)
    expect([subjects.length, new Set(subjects).size]).toEqual([NOTICES, NOTICES])
    const tags = world.pushes.received.slice(pushesBefore).map(({ topic }) => topic)
    expect([tags.length, new Set(tags).size]).toEqual([NOTICES, NOTICES])
  })
})
