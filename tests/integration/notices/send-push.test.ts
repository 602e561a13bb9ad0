import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { endSessions } from '../../../control-plane/servers/access/end-sessions.ts'
import { tellNotice } from '../../../control-plane/messages/notices/tell-notice.ts'
import { openPostgresBus } from '../../../control-plane/platform/event-bus.ts'
import { SealBroken } from '#platform/seal.ts'
import { loadPushKey } from '../../../control-plane/messages/push/push-keys.ts'
import { MAX_BROWSERS, noteSeen, subscribePush } from '../../../control-plane/messages/push/push-subscriptions.ts'
import { revivePushes, sendPush } from '../../../control-plane/messages/push/send-push.ts'
import { sweep } from '../../../control-plane/people/sweep.ts'
import { RETRY_AFTER_SECONDS, type PushFault } from '../../emulators/push/push-server.ts'
import { COMMIT, overtakenWrite } from '../../support/overtaken-write.ts'
import { noticeWorld, SECRET, type Anna, type NoticeWorld } from '../../factories/notice-world.ts'

const DAY_MS = 86_400_000
let world: NoticeWorld
beforeAll(async () => {
  world = await noticeWorld()
})
beforeEach(() => {
  world.pushes.received.length = 0
  world.pushes.answered.length = 0
  world.pushes.set('nothing')
  Object.assign(world.resolved, { addresses: ['127.0.0.1'], isAllowed: () => true, timeoutMs: 15_000 })
  world.clock.set(Date.now())
})
afterAll(() => world.close())

const anna = async (language = 'en'): Promise<Anna> => {
  const who = await world.join({ language })
  await world.subscribe(who)
  return who
}
/** A push that waits, and its id. */
const waiting = async (who: Anna): Promise<string> => {
  const id = await world.notify(who, 'topup.failed', { amount: 5_000 })
  await tellNotice(world.context(), id, 'request-1')
  const [messageId] = await world.pushIdsOf(id)
  return messageId ?? ''
}
type Row = { state: string; tries: number; failure: string | null; next_try_at: Date }
const rowOf = async (messageId: string): Promise<Row | undefined> =>
  (
    await world.database.db.query<Row>(
      'select state, tries, failure, next_try_at from control.push_messages where id = $1',
      [messageId],
    )
  )[0]
const browsersOf = async ({ userId }: Anna) =>
  (
    await world.database.db.query<{ session_id: string }>(
      'select session_id from control.push_subscriptions where user_id = $1 order by id',
      [userId],
    )
  ).map((row) => row.session_id)
const tasksOf = async (messageId: string) =>
  (
    await world.database.db.query<{ available_at: Date }>(
      `select available_at from control.outbox where topic = 'push-send' and payload ->> 'messageId' = $1
       order by available_at`,
      [messageId],
    )
  ).map((row) => row.available_at.getTime() - world.clock.now())

describe('a push', () => {
  it.each([
    ['en', 'Your top-up failed', 'The top-up of 5,000\u00A0Ft failed. Your balance is unchanged.'],
    ['hu', 'Sikertelen feltöltés', 'Nem sikerült a feltöltés: 5\u00A0000\u00A0Ft. Az egyenleged nem változott.'],
    [
      'de',
      'Aufladung fehlgeschlagen',
      'Die Aufladung von 5.000\u00A0Ft ist fehlgeschlagen. Dein Guthaben ist unverändert.',
    ],
  ])('only the browser can read a push, in the person’s language: %s', async (lang, title, body) => {
    const who = await anna(lang)
    const messageId = await waiting(who)
    await sendPush(world.context(), messageId)
    const [push] = world.pushes.received
    expect(JSON.parse(push?.text ?? '')).toEqual({
      title,
      body,
      lang,
      path: '/dashboard/balance/summary',
      tag: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(push?.body.toString('latin1')).not.toMatch(/top-up|Aufladung|Sikertelen/)
    expect(push).toMatchObject({ urgency: 'normal', topic: expect.stringMatching(/^[0-9a-f]{32}$/) })
    expect(push?.ttl).toBeGreaterThan(86_000)
    expect(await rowOf(messageId)).toMatchObject({ state: 'sent', tries: 1, failure: null })
  })

  it('a push is delivered once, by one of 20 workers', async () => {
    const messageId = await waiting(await anna())
    await Promise.all(Array.from({ length: 20 }, () => sendPush(world.context(), messageId)))
    await sendPush(world.context(), messageId)
    expect(world.pushes.received).toHaveLength(1)
  })

  it.each<[PushFault]>([['gone'], ['not found']])('a browser that is %s loses its subscription', async (fault) => {
    const who = await anna()
    const [first, second] = [await waiting(who), await waiting(who)]
    world.pushes.set(fault)
    await sendPush(world.context(), first)
    expect(await browsersOf(who)).toEqual([])
    expect([await rowOf(first), await rowOf(second)]).toEqual([undefined, undefined])
  })

  it.each<[PushFault, string, number]>([
    ['busy', '429', 10_000],
    ['down', '503', 10_000],
    ['silent', 'unreachable', 10_000],
    ['cut', 'unreachable', 10_000],
  ])('a push that meets "%s" is retried, and then arrives', async (fault, failure, waitMs) => {
    const messageId = await waiting(await anna())
    world.pushes.set(fault)
    if (fault === 'silent') world.resolved.timeoutMs = 500
    await sendPush(world.context(), messageId)
    world.resolved.timeoutMs = 15_000
    expect(RETRY_AFTER_SECONDS * 1_000).toBeLessThan(waitMs)
    expect(await rowOf(messageId)).toMatchObject({ state: 'waiting', tries: 1, failure })
    expect(await tasksOf(messageId)).toEqual([0, waitMs])
    world.pushes.set('nothing')
    const before = world.pushes.received.length
    await sendPush(world.context(), messageId)
    expect(world.pushes.received).toHaveLength(before)
    world.clock.advance(waitMs)
    await sendPush(world.context(), messageId)
    expect(world.pushes.received).toHaveLength(before + 1)
    expect(await rowOf(messageId)).toMatchObject({ state: 'sent' })
  })

  it('a redirect of a push service is not followed', async () => {
    const messageId = await waiting(await anna())
    world.pushes.set('elsewhere')
    await sendPush(world.context(), messageId)
    expect(world.pushes.answered).toEqual([307])
    expect(await rowOf(messageId)).toMatchObject({ state: 'failed', failure: 'refused: 307' })
  })

  it('a push that fails by a mistake of ours keeps its browser, and is retried', async () => {
    const who = await anna()
    const id = await waiting(who)
    const context = world.context()
    const service = { deliver: () => Promise.reject(new TypeError('a mistake')) }
    await expect(sendPush({ ...context, push: { ...context.push, service } }, id)).rejects.toThrow('a mistake')
    expect(await browsersOf(who)).toEqual([who.sessionId])
    expect((await rowOf(id))?.state).not.toBe('failed')
  })

  it('an outdated push is not sent', async () => {
    const messageId = await waiting(await anna())
    world.clock.advance(DAY_MS)
    await sendPush(world.context(), messageId)
    expect(world.pushes.answered).toEqual([])
    expect(await rowOf(messageId)).toMatchObject({ state: 'failed', failure: 'expired' })
  })

  it.each(['push.leased', 'push.handed-over'])('a push whose process dies at %s is sent by another', async (point) => {
    const messageId = await waiting(await anna())
    const dying = world.context(async (name) => {
      if (name === point) throw new Error('killed')
    })
    await expect(sendPush(dying, messageId)).rejects.toThrow('killed')
    const before = world.pushes.received.length
    await sendPush(world.context(), messageId)
    expect(world.pushes.received).toHaveLength(before)
    world.clock.advance(60_000)
    await sendPush(world.context(), messageId)
    expect(world.pushes.received).toHaveLength(before + 1)
    expect(new Set(world.pushes.received.map(({ topic }) => topic)).size).toBe(1)
  })

  it('a push whose task was lost gets a new one', async () => {
    const messageId = await waiting(await anna())
    await world.database.db.query('delete from control.outbox')
    expect(await revivePushes(world.context())).toBe(0)
    world.clock.advance(60_000)
    await revivePushes(world.context())
    expect(await tasksOf(messageId)).toHaveLength(1)
  })
})

describe('the address of a push service', () => {
  it.each([
    ['this machine', ['127.0.0.1']],
    ['an inner net, behind a public address', ['8.8.8.8', '10.0.0.7']],
  ])('an address that resolves to %s gets nothing, and is deleted', async (_what, addresses) => {
    const { isPublicAddress } = await import('#platform/public-address.ts')
    const who = await anna()
    const messageId = await waiting(who)
    let asked = [...addresses]
    Object.assign(world.resolved, { addresses, isAllowed: () => isPublicAddress(asked.shift() ?? '') })
    await sendPush(world.context(), messageId)
    expect(world.pushes.answered).toEqual([])
    expect(await browsersOf(who)).toEqual([])
    asked = []
  })
})

describe('the browsers of a person', () => {
  it('a browser’s subscription is deleted with its session, and all of them with all sessions', async () => {
    const bus = await openPostgresBus(world.context())
    const who = await anna()
    const other = { ...who, sessionId: (await world.join()).sessionId }
    await world.subscribe(other)
    const messageId = await waiting(who)
    await endSessions({ ...world.context(), bus }, who)
    expect(await browsersOf(who)).toEqual([other.sessionId])
    expect(await rowOf(messageId)).toBeUndefined()
    await endSessions({ ...world.context(), bus }, { userId: who.userId, sessionId: null })
    expect(await browsersOf(who)).toEqual([])
    await bus.close()
  })

  it('a subscription made just after the end of its session receives nothing', async () => {
    const bus = await openPostgresBus(world.context())
    const who = await world.join()
    await endSessions({ ...world.context(), bus }, who)
    await world.subscribe(who)
    await sendPush(world.context(), await waiting(who))
    expect(world.pushes.received).toEqual([])
    expect(await browsersOf(who)).toEqual([])
    await bus.close()
  })

  it('a person has at most ten browsers: the least recently seen one is removed', async () => {
    const who = await anna()
    for (let at = 0; at < MAX_BROWSERS; at += 1) {
      world.clock.advance(1_000)
      await world.subscribe({ ...who, sessionId: (await world.join()).sessionId })
    }
    const left = await browsersOf(who)
    expect(left).toHaveLength(MAX_BROWSERS)
    expect(left).not.toContain(who.sessionId)
  })

  it('two browsers that subscribe at the same moment do not exceed the bound', async () => {
    const who = await world.join()
    for (let at = 0; at < MAX_BROWSERS; at += 1)
      await world.subscribe({ ...who, sessionId: (await world.join()).sessionId })
    const { db, owner } = world.database
    const sessions = [await world.join(), await world.join()]
    const place = { db, owner, statement: COMMIT }
    await overtakenWrite(place, async (sql) => {
      const session = { ...who, sessionId: sessions.pop()?.sessionId ?? '' }
      const subscription = world.pushes.subscribe((await loadPushKey(world.context(), SECRET)).publicKey)
      return subscribePush({ ...world.context(), db: sql }, { session, subscription })
    })
    expect(await browsersOf(who)).toHaveLength(MAX_BROWSERS)
  })

  it('a browser belongs to the person who signed in there last', async () => {
    const [first, second] = [await world.join(), await world.join()]
    const subscription = await world.subscribe(first)
    expect(await subscribePush(world.context(), { session: second, subscription })).toEqual({ ok: true })
    expect([await browsersOf(first), await browsersOf(second)]).toEqual([[], [second.sessionId]])
  })

  it('invalid keys are refused', async () => {
    const who = await world.join()
    const { endpoint, keys } = world.pushes.subscribe(world.key.publicKey)
    const p256dh = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url')
    const subscription = { endpoint, keys: { ...keys, p256dh } }
    expect(await subscribePush(world.context(), { session: who, subscription })).toEqual({
      ok: false,
      code: 'BAD_REQUEST',
    })
  })

  it('subscriptions unused for a session’s lifetime are deleted; used ones stay', async () => {
    const [idle, used] = [await anna(), await anna()]
    world.clock.advance(10 * DAY_MS)
    await noteSeen(world.context(), used)
    world.clock.advance(5 * DAY_MS)
    await sweep(world.context())
    expect([await browsersOf(idle), await browsersOf(used)]).toEqual([[], [used.sessionId]])
  })
})

describe('the key pair for push services', () => {
  it('a process that decides while another one writes the pair uses that pair', async () => {
    const { db, owner } = world.database
    await owner.query('delete from control.push_keys')
    const place = { db, owner, statement: 'insert into control.push_keys' }
    const [first, second] = await overtakenWrite(place, (sql) => loadPushKey({ ...world.context(), db: sql }, SECRET))
    expect(second).toEqual(first)
    expect(await owner.query('select public_key from control.push_keys')).toEqual([{ public_key: first.publicKey }])
  })

  it('the pair is created once, also by ten at a time, and opens only with its secret', async () => {
    const context = world.context()
    await world.database.owner.query('delete from control.push_keys')
    const keys = await Promise.all(Array.from({ length: 10 }, () => loadPushKey(context, SECRET)))
    expect(new Set(keys.map(({ publicKey }) => publicKey)).size).toBe(1)
    expect(await loadPushKey(context, SECRET)).toEqual(keys[0])
    await expect(loadPushKey(context, 'another secret of another time')).rejects.toBeInstanceOf(SealBroken)
    const [row] = await world.database.db.query<{ sealed_private_key: Buffer }>(
      'select sealed_private_key from control.push_keys',
    )
    const raw = Buffer.from(keys[0]?.privateKey ?? '', 'base64url')
    expect(raw).toHaveLength(32)
    expect(row?.sealed_private_key.includes(raw)).toBe(false)
  })
})
