import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { sendMail } from '../../../control-plane/messages/mail/send-mail.ts'
import { MailFailure } from '../../../control-plane/messages/mail/mail-transport.ts'
import { tellNotice } from '../../../control-plane/messages/notices/tell-notice.ts'
import { sendPush } from '../../../control-plane/messages/push/send-push.ts'
import type { Database } from '#platform/postgres/database.ts'
import { noticeWorld, type NoticeWorld } from '../../factories/notice-world.ts'
import { waitFor } from '../../support/wait-for.ts'

const MINUTE_MS = 60_000
let world: NoticeWorld
beforeAll(async () => {
  world = await noticeWorld()
})
beforeEach(() => world.clock.set(Date.now()))
afterEach(() => vi.useRealTimers())
afterAll(() => world.close())

type Answer = 'taken' | 'silence'
type Context = ReturnType<NoticeWorld['context']>

/** The other side: it takes what it is given, and answers when the test says so. */
function otherSide() {
  const waiting: ((answer: Answer) => void)[] = []
  return {
    /** How often something was handed over. */
    handed: () => waiting.length,
    take: () => new Promise<Answer>((resolve) => void waiting.push(resolve)),
    /** Answers the hand-over of this number. */
    answer: (at: number, answer: Answer) => waiting[at]?.(answer),
  }
}
type OtherSide = ReturnType<typeof otherSide>

const withMails = (context: Context, side: OtherSide): Context => ({
  ...context,
  mail: {
    ...context.mail,
    transport: {
      name: 'test',
      send: async () => {
        if ((await side.take()) === 'silence') throw new MailFailure('temporary', 'ETIMEDOUT')
      },
    },
  },
})
const withPushes = (context: Context, side: OtherSide): Context => ({
  ...context,
  push: {
    ...context.push,
    service: {
      deliver: async () =>
        (await side.take()) === 'silence'
          ? { kind: 'unreachable' }
          : { kind: 'answered', status: 201, retryAfterMs: undefined },
    },
  },
})

/** A database that keeps one query back, the next one that begins so once it is asked to, until it is let go. */
function lateQuery(context: Context, beginning: string) {
  const late = { isNext: false }
  let letGo = () => {}
  let isDone: Promise<unknown> = Promise.resolve()
  const query: Context['db']['query'] = (text, values) => {
    if (!late.isNext || !text.trimStart().startsWith(beginning)) return context.db.query(text, values)
    late.isNext = false
    const done = new Promise<void>((resolve) => (letGo = resolve)).then(() => context.db.query(text, values))
    isDone = done
    return done as never
  }
  const release = async () => {
    letGo()
    await isDone
  }
  return { context: { ...context, db: { ...context.db, query } }, late, release }
}

const WAYS = [
  { way: 'mail', table: 'control.mails', leaseMs: 3 * MINUTE_MS, dress: withMails, send: sendMail },
  { way: 'push', table: 'control.push_messages', leaseMs: MINUTE_MS, dress: withPushes, send: sendPush },
] as const

describe.each(WAYS)('delivering a $way', ({ way, table, leaseMs, dress, send }) => {
  /** One that waits, and its id. */
  const written = async (): Promise<string> => {
    const who = await world.join()
    await world.subscribe(who)
    const notice = await world.notify(who, 'topup.failed', { amount: 5_000 })
    await tellNotice(world.context(), notice, 'request-1')
    return way === 'mail' ? notice : ((await world.pushIdsOf(notice))[0] ?? '')
  }
  const rowOf = async (id: string) => {
    const [row] = await world.database.db.query<{ state: string; tries: number; leased_until: Date | null }>(
      `select state, tries, leased_until from ${table} where id = $1`,
      [id],
    )
    return row
  }

  it('a message that two workers take at the same moment is delivered by one', async () => {
    const [id, side] = [await written(), otherSide()]
    const both = [1, 2].map(() => send(dress(world.context(), side), id))
    await waitFor('a hand-over', () => side.handed() > 0)
    await Promise.race(both)
    side.answer(0, 'taken')
    await Promise.all(both)
    expect([side.handed(), (await rowOf(id))?.state]).toEqual([1, 'sent'])
  })

  it('a message stays with a living sender, however long the peer takes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const [id, side] = [await written(), otherSide()]
    const first = send(dress(world.context(), side), id)
    await waitFor('the hand-over', () => side.handed() === 1)
    for (let step = 0; step < 6; step += 1) {
      world.clock.advance(leaseMs / 2)
      vi.advanceTimersByTime(leaseMs / 2)
      const until = world.clock.now() + leaseMs
      await waitFor('the renewed lease', async () => (await rowOf(id))?.leased_until?.getTime() === until)
      await send(dress(world.context(), side), id)
      expect(side.handed()).toBe(1)
    }
    side.answer(0, 'taken')
    await first
    expect(await rowOf(id)).toMatchObject({ state: 'sent', tries: 1 })
  })

  it('a message is held until the last renewal’s time, even if an earlier one arrives after it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const [id, side] = [await written(), otherSide()]
    const { context, late, release } = lateQuery(dress(world.context(), side), `update ${table} set leased_until`)
    const sending = send(context, id)
    await waitFor('the hand-over', () => side.handed() === 1)
    late.isNext = true
    for (let renewal = 0; renewal < 2; renewal += 1) {
      world.clock.advance(leaseMs / 3)
      vi.advanceTimersByTime(leaseMs / 3)
    }
    const until = world.clock.now() + leaseMs
    const leasedUntil = async () => (await rowOf(id))?.leased_until?.getTime()
    await waitFor('the second renewal', async () => (await leasedUntil()) === until)
    await release()
    expect(await leasedUntil()).toBe(until)
    side.answer(0, 'taken')
    await sending
  })

  it('a sender frozen until another took over leaves the message to that one', async () => {
    const [id, side] = [await written(), otherSide()]
    const frozen = send(dress(world.context(), side), id)
    await waitFor('the hand-over', () => side.handed() === 1)
    world.clock.advance(leaseMs)
    const second = send(dress(world.context(), side), id)
    await waitFor('the other hand-over', () => side.handed() === 2)
    side.answer(0, 'silence')
    await frozen
    world.clock.advance(MINUTE_MS / 2)
    const third = send(dress(world.context(), side), id)
    await Promise.race([third, waitFor('a third hand-over', () => side.handed() === 3)])
    expect(side.handed()).toBe(2)
    side.answer(1, 'taken')
    await second
    expect(await rowOf(id)).toMatchObject({ state: 'sent', tries: 2 })
  })

  it('a sender frozen before its delivery does not deliver', async () => {
    const [id, side] = [await written(), otherSide()]
    let thaw = () => {}
    const ice = new Promise<void>((resolve) => (thaw = resolve))
    let isFrozen = false
    const context = world.context(async (name) => {
      if (name !== `${way}.leased`) return
      isFrozen = true
      await ice
    })
    const frozen = send(dress(context, side), id)
    await waitFor('the sender to freeze', () => isFrozen)
    world.clock.advance(leaseMs)
    const second = send(dress(world.context(), side), id)
    await waitFor('the hand-over', () => side.handed() === 1)
    thaw()
    await Promise.race([frozen, waitFor('a second hand-over', () => side.handed() === 2)])
    expect(side.handed()).toBe(1)
    side.answer(0, 'taken')
    await second
    expect(await rowOf(id)).toMatchObject({ state: 'sent' })
  })

  it('an accepted message is not delivered again after a short outage of PostgreSQL', async () => {
    const [id, side] = [await written(), otherSide()]
    let failures = 0
    const db: Database = {
      ...world.database.db,
      query: (text, values) => {
        if (side.handed() === 0 || failures >= 2) return world.database.db.query(text, values)
        failures += 1
        return Promise.reject(new Error('the connection was ended'))
      },
    }
    const sending = send(dress({ ...world.context(), db }, side), id)
    await waitFor('the hand-over', () => side.handed() === 1)
    side.answer(0, 'taken')
    await sending
    expect([failures, side.handed(), (await rowOf(id))?.state]).toEqual([2, 1, 'sent'])
  })
})
