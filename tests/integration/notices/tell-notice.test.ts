import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { NotificationMatrix } from '#contracts/http/notification-settings.ts'
import { MATRIX_KEYS } from '#domain/notifications/matrix.ts'
import { changeNoticeSettings, readNoticeSettings } from '../../../control-plane/messages/notices/notice-settings.ts'
import { reviveNotices, tellNotice, tellNotices } from '../../../control-plane/messages/notices/tell-notice.ts'
import { addNode, addServer } from '../../factories/fleet.ts'
import { noticeWorld, type Anna, type NoticeWorld } from '../../factories/notice-world.ts'

let world: NoticeWorld
beforeAll(async () => {
  world = await noticeWorld()
})
beforeEach(() => {
  world.mails.length = 0
  world.pushes.received.length = 0
  world.pushes.set('nothing')
})
afterAll(() => world.close())

const settingsOf = (who: Anna) => readNoticeSettings(world.database.db, who, world.key.publicKey)
const choose = async (who: Anna, change: (matrix: NotificationMatrix) => void) => {
  const { matrix } = await settingsOf(who)
  change(matrix)
  await changeNoticeSettings(world.context(), { who, matrix })
}
const count = async (table: 'mails' | 'push_messages' | 'outbox', where: string, values: unknown[]) => {
  const [row] = await world.database.db.query<{ count: bigint }>(
    `select count(*) as count from control.${table} where ${where}`,
    values,
  )
  return Number(row?.count)
}
const tasksOf = (id: string) => count('outbox', `topic = 'notice-tell' and payload ->> 'notificationId' = $1`, [id])
const texts = () => world.pushes.received.map(({ text }) => JSON.parse(text) as Record<string, string>)

describe('a person’s notification matrix', () => {
  it('the matrix has every key, and no push before a browser subscribed', async () => {
    const anna = await world.join()
    const before = await settingsOf(anna)
    expect(Object.keys(before.matrix).sort()).toEqual([...MATRIX_KEYS].sort())
    expect(before.push).toEqual({ publicKey: world.key.publicKey, isHere: false, browsers: 0 })
    await world.subscribe(anna)
    const after = await settingsOf(anna)
    expect(after.push).toMatchObject({ isHere: true, browsers: 1 })
    expect(Object.values(after.matrix).every(({ push }) => push)).toBe(true)
    const elsewhere = await settingsOf({ ...anna, sessionId: (await world.join()).sessionId })
    expect(elsewhere.push).toMatchObject({ isHere: false, browsers: 1 })
  })

  it('the matrix is stored as chosen, for that person only', async () => {
    const [anna, bob] = [await world.join(), await world.join()]
    await choose(anna, (matrix) => {
      matrix['server.installed'].mail = true
      matrix['topup.failed'].mail = false
    })
    expect((await settingsOf(anna)).matrix).toMatchObject({
      'server.installed': { mail: true },
      'topup.failed': { mail: false },
      'topup.successful': { mail: true },
    })
    expect((await settingsOf(bob)).matrix).toMatchObject({
      'server.installed': { mail: false },
      'topup.failed': { mail: true },
    })
  })

  it('a matrix saved before any browser subscribed leaves pushes at their default', async () => {
    const anna = await world.join()
    await choose(anna, () => {})
    await world.subscribe(anna)
    expect(Object.values((await settingsOf(anna)).matrix).every(({ push }) => push)).toBe(true)
    await choose(anna, (matrix) => {
      matrix['topup.failed'].push = false
    })
    expect((await settingsOf(anna)).matrix['topup.failed'].push).toBe(false)
  })
})

describe('a notification', () => {
  it('a notification’s task is created at the commit of its transaction, or not at all', async () => {
    const anna = await world.join()
    expect(await tasksOf(await world.notify(anna, 'topup.successful', { amount: 5_000 }))).toBe(1)
    expect(await tasksOf(await world.notify(anna, 'server.moved', { reason: 'The node burnt down.' }))).toBe(0)
  })

  it('the mail is in the person’s language, with the amount and the page to open', async () => {
    const anna = await world.join({ language: 'hu' })
    await world.tell(await world.notify(anna, 'topup.successful', { amount: 5_000 }))
    expect(world.mails).toMatchObject([
      { to: `${anna.userId}@example.com`, language: 'hu', subject: 'Jóváírtuk az egyenlegeden: 5\u00A0000\u00A0Ft' },
    ])
    expect(world.mails[0]?.text).toContain('https://host.example/dashboard/balance/summary')
  })

  const mailedAtOnce = MATRIX_KEYS.filter((key) => key !== 'ticket.reply')
  it.each(mailedAtOnce)('"%s" is mailed to people who chose it, in each language, and to nobody else', async (text) => {
    const data = { name: 'Castle', product: 'Minecraft', amount: 1_990 }
    const subjects = new Set<string>()
    for (const language of ['en', 'hu', 'de']) {
      for (const isWanted of [true, false]) {
        const anna = await world.join({ language })
        await choose(anna, (matrix) => {
          matrix[text].mail = isWanted
        })
        await world.tell(await world.notify(anna, text, data))
        expect(world.mails).toHaveLength(isWanted ? 1 : 0)
        for (const { subject } of world.mails.splice(0)) subjects.add(subject)
      }
    }
    expect(subjects.size).toBe(3)
  })

  it('the reply to a ticket is not mailed at once: its mail waits until it is known whether it was read', async () => {
    const anna = await world.join()
    await world.tell(await world.notify(anna, 'ticket.reply', { name: 'My server', ticketId: anna.userId }))
    expect(world.mails).toEqual([])
  })

  it('the mail has the server’s current name, and its last one after the deletion', async () => {
    const anna = await world.join()
    const { nodeId } = await addNode(world.database.owner)
    const { id: sid } = await addServer(world.database.owner, nodeId, { ownerId: anna.userId })
    await world.database.owner.query('update control.servers set name = $2 where id = $1', [sid, 'Őrház\n\u202Egpj'])
    await world.tell(await world.notify(anna, 'server.expired', { sid, name: 'Before' }))
    expect(world.mails.at(-1)).toMatchObject({ subject: 'Őrház gpj has expired' })
    expect(world.mails.at(-1)?.text).toContain(`https://host.example/panel/${sid}/settings`)
    await world.database.owner.query('update control.servers set deleted_at = now() where id = $1', [sid])
    await world.tell(await world.notify(anna, 'server.expired', { sid, name: 'Before' }))
    expect(world.mails.at(-1)).toMatchObject({ subject: 'Before has expired' })
    expect(world.mails.at(-1)?.text).toContain('https://host.example/dashboard/servers')
    await world.tell(await world.notify(anna, 'server.expired', { sid }))
    expect(world.mails.at(-1)).toMatchObject({ subject: 'UNKNOWN has expired' })
    expect(world.mails.at(-1)?.text).toContain('If you renew it')
    await world.tell(await world.notify(anna, 'server.expired', { sid, isTest: true }))
    expect(world.mails.at(-1)?.text).toContain('If you buy it from its settings')
  })

  it('only the chosen channels are used', async () => {
    const anna = await world.join()
    await world.subscribe(anna)
    await choose(anna, (matrix) => {
      matrix['topup.failed'] = { mail: false, push: true }
      matrix['topup.successful'] = { mail: true, push: false }
      matrix['purchase.success'] = { mail: false, push: false }
    })
    await world.tell(await world.notify(anna, 'topup.failed', { amount: 1 }))
    expect([world.mails.length, world.pushes.received.length]).toEqual([0, 1])
    await world.tell(await world.notify(anna, 'topup.successful', { amount: 2 }))
    expect([world.mails.length, world.pushes.received.length]).toEqual([1, 1])
    await world.tell(await world.notify(anna, 'purchase.success', { product: 'M', amount: 3 }))
    expect([world.mails.length, world.pushes.received.length]).toEqual([1, 1])
  })

  it('no mail is sent to an unverified address', async () => {
    const anna = await world.join({ verified: false })
    await world.tell(await world.notify(anna, 'topup.failed', { amount: 1 }))
    expect(world.mails).toEqual([])
  })

  it('nothing is sent for a person who no longer exists', async () => {
    const anna = await world.join()
    await world.database.owner.query('delete from cms_api.people where id = $1', [anna.userId])
    await world.tell(await world.notify(anna, 'topup.failed', { amount: 1 }))
    expect(world.mails).toEqual([])
  })

  it('there is one mail and one push per browser, however often the task runs', async () => {
    const anna = await world.join()
    await world.subscribe(anna)
    await world.subscribe({ ...anna, sessionId: (await world.join()).sessionId })
    const id = await world.notify(anna, 'topup.failed', { amount: 1 })
    await Promise.all(Array.from({ length: 10 }, () => tellNotice(world.context(), id, 'request-1')))
    await world.tell(id)
    await world.tell(id)
    expect(await count('mails', 'id = $1', [id])).toBe(1)
    expect(await count('push_messages', 'notification_id = $1', [id])).toBe(2)
    expect([world.mails.length, world.pushes.received.length]).toEqual([1, 2])
    expect(new Set(texts().map(({ tag }) => tag))).toEqual(new Set([id]))
  })

  it('a batch is sent like single notifications: each person by their own channels', async () => {
    const [anna, bela, nobody] = [await world.join(), await world.join(), await world.join({ verified: false })]
    await world.subscribe(bela)
    await choose(anna, (matrix) => (matrix['topup.successful'] = { mail: false, push: false }))
    const notices = [
      await world.notify(anna, 'topup.failed', { amount: 1 }),
      await world.notify(anna, 'topup.successful', { amount: 2 }),
      await world.notify(bela, 'topup.failed', { amount: 3 }),
      await world.notify(nobody, 'topup.failed', { amount: 4 }),
    ]
    const waiting = notices.map((notificationId, at) => ({ notificationId, requestId: `request-${at}` }))
    await Promise.all([tellNotices(world.context(), waiting), tellNotices(world.context(), waiting)])
    const mails = await world.database.db.query(
      'select id, request_id from control.mails where id = any ($1) order by 2',
      [notices],
    )
    expect(mails).toEqual([
      { id: notices[0], request_id: 'request-0' },
      { id: notices[2], request_id: 'request-2' },
    ])
    expect(await count('push_messages', 'notification_id = any ($1)', [notices])).toBe(1)
    const untold = await world.database.db.query(
      'select 1 from control.notifications where told_at is null and id = any ($1)',
      [notices],
    )
    expect(untold).toEqual([])
  })

  it.each(['notice.taken', 'notice.written'])(
    'a notification whose process dies at %s is sent completely by the next',
    async (point) => {
      const anna = await world.join()
      await world.subscribe(anna)
      const id = await world.notify(anna, 'topup.failed', { amount: 1 })
      const dying = world.context(async (name) => {
        if (name === point) throw new Error('killed')
      })
      await expect(tellNotice(dying, id, 'request-1')).rejects.toThrow('killed')
      expect(await count('mails', 'id = $1', [id])).toBe(0)
      await world.tell(id)
      expect([world.mails.length, world.pushes.received.length]).toEqual([1, 1])
    },
  )

  it('a notification whose task was lost gets a new one; a sent one gets none', async () => {
    const anna = await world.join()
    const [lost, told] = [
      await world.notify(anna, 'topup.failed', { amount: 1 }),
      await world.notify(anna, 'topup.failed', { amount: 2 }),
    ]
    const bellOnly = await world.notify(anna, 'server.moved', { name: 'a' })
    await world.tell(told)
    await world.database.db.query(`delete from control.outbox where topic = 'notice-tell'`)
    await reviveNotices(world.context())
    expect(await tasksOf(lost)).toBe(0)
    world.clock.advance(60_000)
    await reviveNotices(world.context())
    expect([await tasksOf(lost), await tasksOf(told), await tasksOf(bellOnly)]).toEqual([1, 0, 0])
  })
})
