import { afterAll, beforeAll, expect, it } from 'vitest'
import { Balance } from '#contracts/http/balance.ts'
import { User } from '#contracts/http/user.ts'
import { Server } from '#contracts/http/server.ts'
import { STALE_AFTER_MS } from '#contracts/control-api/freshness.ts'
import { SESSION_LEASE_MS } from '#domain/servers/reachability.ts'
import { internalCalls } from '../../../control-plane/api/internal-calls.ts'
import { systemIds } from '#platform/ids.ts'
import { readBalance } from '../../../src/account/read-balance.ts'
import { readNotifications } from '../../../src/account/read-notifications.ts'
import { readServers } from '../../../src/account/read-servers.ts'
import { readUser } from '../../../src/account/read-user.ts'
import { endSession } from '../../../src/identity/sessions/sessions.ts'
import { openAccountWorld, type AccountWorld } from '../../factories/account-world.ts'
import { makeReachable } from '../../factories/fleet.ts'
import { callerOf } from '../../factories/shop.ts'

let world: AccountWorld
beforeAll(async () => {
  world = await openAccountWorld()
  await world.beat()
})
afterAll(() => world.close())

type Somebody = Awaited<ReturnType<AccountWorld['person']>>
const readerOf = (who: Somebody) => ({ context: world.site.context, subject: who.tokens.subject })
const READS = {
  user: (who: Somebody) => readUser(readerOf(who)),
  servers: (who: Somebody) => readServers(readerOf(who), {}, 'en'),
  notifications: (who: Somebody) => readNotifications(readerOf(who), {}),
  balance: (who: Somebody) => readBalance(readerOf(who)),
} as const
const reads = Object.entries(READS)

/** The answer of the control plane's internal API to the same question. */
const calls = () =>
  internalCalls({ context: world.payments, servers: {}, nodes: {}, nudges: {} } as unknown as Parameters<
    typeof internalCalls
  >[0])
const meta = { requestId: 'r', idempotencyKey: undefined }

it.each(reads)('the read of the %s returns nothing for an ended session', async (_name, read) => {
  const who = await world.person()
  expect(await read(who)).not.toBeNull()
  await endSession(world.site.context, who.tokens.subject, false)
  expect(await read(who)).toBeNull()
})

it.each(reads)('the read of the %s returns nothing for a suspended person', async (_name, read) => {
  const who = await world.person()
  await world.site.context.db.query('update public.users set suspended = true where id = $1', [who.userId])
  expect(await read(who)).toBeNull()
})

it.each(reads)('the read of the %s returns nothing for an expired session', async (_name, read) => {
  const who = await world.person()
  await world.site.context.db.query('update identity.sessions set expires_at = $2 where user_id = $1', [
    who.userId,
    new Date(world.site.clock.now()),
  ])
  expect(await read(who)).toBeNull()
})

it.each(reads)(
  'the read of the %s returns nothing when a factor was added after a sign-in by password alone',
  async (_name, read) => {
    const who = await world.person()
    await world.site.context.db.query(
      `insert into identity.totp (user_id, sealed_secret, created_at, confirmed_at) values ($1, 'sealed', now(), now())`,
      [who.userId],
    )
    expect(await read(who)).toBeNull()
  },
)

it.each(reads)('the read of the %s returns nothing for another person’s session', async (_name, read) => {
  const [who, other] = [await world.person(), await world.person()]
  const forged = { ...who, tokens: { ...who.tokens, subject: { ...who.tokens.subject, userId: other.userId } } }
  expect(await read(forged)).toBeNull()
})

it.each(reads)('the read of the %s is one statement', async (_name, read) => {
  const who = await world.person()
  const statements: unknown[] = []
  const { db } = world.site.context
  const counting = new Proxy(db, {
    get: (target, name: keyof typeof db) => {
      if (typeof target[name] === 'function' && name !== 'close') statements.push(name)
      return target[name]
    },
  })
  const seen = { ...world, site: { ...world.site, context: { ...world.site.context, db: counting } } }
  const before = world
  world = seen
  await read(who).finally(() => {
    world = before
  })
  expect(statements).toEqual(['prepared'])
})

it('a new person has nothing but the weekly spin', async () => {
  const who = await world.person()
  const answer = await readUser(readerOf(who))
  expect(User.parse(answer?.body)).toMatchObject({
    username: who.username,
    balance: 0,
    premium: 'none',
    premiumExpiry: null,
    spinCount: 1,
  })
  expect((await READS.servers(who))?.body).toEqual([])
  expect((await READS.notifications(who))?.body).toEqual({ notifications: [], browserSeenAtMs: null })
  expect((await readBalance(readerOf(who)))?.body).toMatchObject({ balanceFt: 0, renewing: [], renewalDiscount: null })
})

it('money, debt, premium and spins equal the control plane’s', async () => {
  const who = await world.person({ lived: true })
  await world.credit(who.userId, 1_234n)
  const caller = callerOf(who.userId)
  const [account, balance] = await Promise.all([calls().account({ caller }, meta), calls().balance({ caller }, meta)])
  const user = await readUser(readerOf(who))
  expect(user?.body).toMatchObject(account)
  expect(user?.body).toMatchObject({ balance: 6_234, premium: 'essentials', spinCount: 2 })
  expect(Balance.parse((await readBalance(readerOf(who)))?.body)).toEqual(Balance.parse(balance))
})

it('an expired tier no longer counts, even before its end was recorded', async () => {
  const who = await world.person({ lived: true })
  await world.control.query(
    'update control.premium_purchases set started_at = $2, expires_at = $3 where user_id = $1',
    [who.userId, new Date(Date.now() - 60_000), new Date(Date.now() - 1_000)],
  )
  expect((await readUser(readerOf(who)))?.body).toMatchObject({ premium: 'none', premiumExpiry: null })
  expect((await readBalance(readerOf(who)))?.body.renewalDiscount).toBeNull()
})

it('own and shared servers equal the control plane’s list, with each reader’s permissions', async () => {
  const [owner, friend, stranger] = [await world.person(), await world.person(), await world.person()]
  const environment = { MOTD: 'hidden' }
  const startup = { argv: ['node', 'secret-part.js'] }
  const shared = await world.rent(owner.userId, { spec: { environment, startup } })
  await world.share(shared.id, friend.userId, ['control.start'])
  await world.rent(stranger.userId)
  const own = await world.rent(friend.userId)
  const listed = (await READS.servers(friend))?.body ?? []
  expect(listed.map(({ id }) => id)).toEqual([own.id, shared.id])
  expect(listed).toEqual(await calls().servers({ caller: callerOf(friend.userId) }, meta))
  expect(Server.array().parse(listed)[1]).toMatchObject({
    permissions: ['control.start'],
    startup: '',
    variables: [],
    subusers: [],
    owner: { id: owner.userId, username: owner.username },
    computer: { name: 'pest-1' },
    status: 'running',
  })
  expect((await READS.servers(owner))?.body[0]).toMatchObject({
    startup: 'node secret-part.js',
    subusers: [{ id: friend.userId, username: friend.username }],
  })
})

it('an administrator has all permissions on a server shared with them', async () => {
  const [owner, admin] = [await world.person(), await world.person()]
  const { db, ids } = world.site.context
  const role = ids.next()
  await db.query(`insert into public.roles (id, name, slug, is_admin, active) values ($1, 'a', $2, true, true)`, [
    role,
    `admins-${role}`,
  ])
  const { id } = await world.rent(owner.userId)
  await world.share(id, admin.userId, ['control.start'])
  expect((await READS.servers(admin))?.body[0]?.permissions).toEqual(['control.start'])
  await db.query(`insert into public.users_rels (parent_id, path, roles_id) values ($1, 'role', $2)`, [
    admin.userId,
    role,
  ])
  expect((await READS.servers(admin))?.body[0]?.permissions).toContain('file.read')
})

it('lists continue after the caller’s last item', async () => {
  const who = await world.person()
  const servers = [await world.rent(who.userId), await world.rent(who.userId), await world.rent(who.userId)]
  const ids = servers.map(({ id }) => id).reverse()
  const first = await readServers(readerOf(who), { limit: 2 }, 'en')
  expect(first?.body.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  const second = await readServers(readerOf(who), { limit: 2, before: ids[1] }, 'en')
  expect(second?.body.map(({ id }) => id)).toEqual(ids.slice(2))
  const [older, newer] = [await world.tell(who.userId, { amount: 1 }), await world.tell(who.userId, { amount: 2 })]
  const page = async (before?: string) =>
    (await readNotifications(readerOf(who), { limit: 1, before }))?.body.notifications.map(({ id }) => id)
  expect([await page(), await page(newer), await page(older)]).toEqual([[newer], [older], []])
})

it('a notification that a later release has written is left out, and takes no place on a page', async () => {
  const who = await world.person()
  const [older, later] = [await world.tell(who.userId, { amount: 1 }), await world.tell(who.userId, { amount: 2 })]
  await world.control.query(
    `update control.notifications set text = 'of.a-later-release', data = '{"sid": 7}' where id = $1`,
    [later],
  )
  const read = await readNotifications(readerOf(who), { limit: 1 })
  expect(read?.body.notifications.map(({ id }) => id)).toEqual([older])
})

it('a session’s browser with push notifications is returned with the time it was last seen', async () => {
  const who = await world.person()
  const seenAt = new Date(Date.now() - 90_000_000)
  await world.control.query(
    `insert into control.push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth, created_at, seen_at)
     values ($1::uuid, $2, $3, $1::text, 'p', 'a', now(), $4)`,
    [systemIds.next(), who.userId, who.tokens.subject.sessionId, seenAt],
  )
  expect((await READS.notifications(who))?.body.browserSeenAtMs).toBe(seenAt.getTime())
})

it('responses have no age while a control plane runs, and their age once none does', async () => {
  const who = await world.person()
  await world.beat()
  expect((await READS.user(who))?.freshness.ageSeconds).toBeNull()
  await world.fallSilent(STALE_AFTER_MS + 90_000)
  for (const [, read] of reads) {
    const age = (await read(who))?.freshness.ageSeconds ?? 0
    expect(age).toBeGreaterThanOrEqual(105)
    expect(age).toBeLessThan(165)
  }
  await world.beat()
  expect((await READS.user(who))?.freshness.ageSeconds).toBeNull()
})

it('a server keeps its state of the last heartbeat when nobody renews its node’s session', async () => {
  const who = await world.person()
  await world.rent(who.userId)
  const status = async () => (await READS.servers(who))?.body[0]?.status
  const lease = SESSION_LEASE_MS + 60_000
  await makeReachable(world.control, world.nodeId, Date.now() - lease)
  expect(await status()).toBe('nodeoffline')
  await world.control.query('update control.heartbeat set beaten_at = $1', [new Date(Date.now() - lease)])
  await world.fallSilent(lease)
  expect(await status()).toBe('running')
  await world.beat()
  await makeReachable(world.control, world.nodeId)
})

it('before any heartbeat the payment methods are unknown and the rows count as fresh', async () => {
  const who = await world.person()
  await world.control.query('delete from control.heartbeat')
  const answer = await readBalance(readerOf(who))
  expect(answer?.body.methods).toBeNull()
  expect(answer?.freshness.ageSeconds).toBeNull()
  await world.beat()
  expect((await readBalance(readerOf(who)))?.body.methods).toMatchObject([{ id: 'sandbox', sandbox: true }])
})
