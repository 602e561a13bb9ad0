import { afterAll, beforeAll, expect, it } from 'vitest'
import { markNotificationsRead } from '../../../control-plane/messages/notices/mark-notices.ts'
import { noticeWorld, type Anna, type NoticeWorld } from '../../factories/notice-world.ts'

let world: NoticeWorld
beforeAll(async () => {
  world = await noticeWorld()
})
afterAll(() => world.close())

const mark = ({ userId }: Anna, upTo = '') =>
  markNotificationsRead(world.context(), { userId, upTo, requestId: 'request-of-the-page' })
const readBy = async ({ userId }: Anna) =>
  (
    await world.database.db.query<{ read_at: Date | null }>(
      'select read_at from control.notifications where user_id = $1 order by id',
      [userId],
    )
  ).map((row) => row.read_at)
const told = ({ userId }: Anna) =>
  world.database.owner.query(
    `select payload -> 'message' -> 'data' ->> 'upTo' as up_to, request_id from control.outbox
     where topic = 'browser-event' and payload -> 'message' ->> 'event' = 'notification.read' and payload -> 'userIds' ->> 0 = $1`,
    [userId],
  )

it('notifications are marked from the oldest to the named one, and other pages are told once', async () => {
  const anna = await world.join()
  await world.notify(anna, 'topup.failed', { amount: 1 })
  const second = await world.notify(anna, 'topup.failed', { amount: 2 })
  await world.notify(anna, 'topup.failed', { amount: 3 })
  const firstMs = world.clock.now()
  await mark(anna, second)
  expect(await readBy(anna)).toEqual([new Date(firstMs), new Date(firstMs), null])
  world.clock.advance(60_000)
  await mark(anna, second)
  expect(await readBy(anna)).toEqual([new Date(firstMs), new Date(firstMs), null])
  expect(await told(anna)).toEqual([{ up_to: second, request_id: 'request-of-the-page' }])
})

it('another person’s notification marks only one’s own older ones', async () => {
  const [anna, bela] = [await world.join(), await world.join()]
  await world.notify(anna, 'topup.failed', { amount: 1 })
  const foreign = await world.notify(bela, 'topup.failed', { amount: 2 })
  await world.notify(anna, 'topup.failed', { amount: 3 })
  await mark(anna, foreign)
  expect(await readBy(bela)).toEqual([null])
  expect(await readBy(anna)).toEqual([expect.any(Date), null])
  expect(await told(bela)).toEqual([])
})
