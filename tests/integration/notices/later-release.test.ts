import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemIds } from '#platform/ids.ts'
import { reviveNotices, tellNotices } from '../../../control-plane/messages/notices/tell-notice.ts'
import { sendPush } from '../../../control-plane/messages/push/send-push.ts'
import { noticeWorld, type Anna, type NoticeWorld } from '../../factories/notice-world.ts'

const LATER = 'of.a-later-release'
let world: NoticeWorld
beforeAll(async () => {
  world = await noticeWorld()
})
afterAll(() => world.close())

/** A context, and the warnings of its log. */
const watched = () => {
  const warnings: [object, string][] = []
  const context = world.context()
  const warn = (line: object, words: string) => void warnings.push([line, words])
  return { warnings, context: { ...context, log: { ...context.log, warn } } }
}
const writtenLater = async ({ userId }: Anna): Promise<string> => {
  const id = systemIds.next()
  await world.database.db.query(
    `insert into control.notifications (id, user_id, text, data, created_at) values ($1, $2, $3, '{"sid": 7}', $4)`,
    [id, userId, LATER, new Date(world.clock.now())],
  )
  return id
}

it('a notification of a later release is left to it with one line of the log, and the others of its batch are sent', async () => {
  const anna = await world.join()
  const [later, again, known] = [
    await writtenLater(anna),
    await writtenLater(anna),
    await world.notify(anna, 'topup.failed', { amount: 1 }),
  ]
  const { context, warnings } = watched()
  const tasks = [later, known, again].map((notificationId) => ({ notificationId, requestId: 'request-1' }))
  await tellNotices(context, tasks)
  expect(warnings).toEqual([[{ notifications: 2, texts: [LATER] }, 'notifications of a later release are left to it']])
  const mails = await world.database.db.query('select id from control.mails where recipient = $1', [
    `${anna.userId}@example.com`,
  ])
  expect(mails).toEqual([{ id: known }])
  // Its own programs tell of it later, and this one does not ask for it again and again.
  const untold = await world.database.db.query(
    'select id from control.notifications where user_id = $1 and told_at is null order by id',
    [anna.userId],
  )
  expect(untold).toEqual([{ id: later }, { id: again }])
  world.clock.advance(120_000)
  expect(await reviveNotices(world.context())).toBe(0)
})

it('a notification that is told already, or gone, is no reason for a line of the log', async () => {
  const anna = await world.join()
  const id = await world.notify(anna, 'topup.failed', { amount: 1 })
  const { context, warnings } = watched()
  for (const notificationId of [id, id, systemIds.next()])
    await tellNotices(context, [{ notificationId, requestId: 'request-1' }])
  expect(warnings).toEqual([])
})

it('a push about a notification of a later release waits for its programs with one line of the log', async () => {
  const anna = await world.join()
  await world.subscribe(anna)
  const notificationId = await writtenLater(anna)
  const { db } = world.database
  const messageId = systemIds.next()
  await db.query(
    `insert into control.push_messages (id, notification_id, subscription_id, next_try_at, expires_at, request_id, created_at)
     select $1, $2, s.id, $4, $5, 'request-1', $4 from control.push_subscriptions s where s.user_id = $3`,
    [messageId, notificationId, anna.userId, new Date(world.clock.now()), new Date(world.clock.now() + 86_400_000)],
  )
  const { context, warnings } = watched()
  await sendPush(context, messageId)
  expect(warnings).toEqual([
    [
      { messageId, tries: 1, requestId: 'request-1', status: 'of a later release' },
      'push not handed over, it is tried again',
    ],
  ])
  expect(world.pushes.received).toEqual([])
  const [row] = await db.query('select state, leased_until, next_try_at from control.push_messages where id = $1', [
    messageId,
  ])
  expect(row).toEqual({ state: 'waiting', leased_until: null, next_try_at: new Date(world.clock.now() + 60_000) })
})
