import { afterAll, beforeAll, expect, test } from 'vitest'
import { sweep } from '../../../control-plane/people/sweep.ts'
import { identifierFrom } from '#domain/kernel/identifier.ts'
import { CONTEXT_LIFE_MS } from '#domain/tickets/server-context.ts'
import { OLDEST_MAIL_MS, RECEIVED_LIFE_MS } from '#domain/tickets/mail-decision.ts'
import type { Database } from '#platform/postgres/database.ts'
import { systemIds } from '#platform/ids.ts'
import { sweepIdentity } from '../../../src/identity/accounts/retention.ts'
import { createIdentity } from '../../support/identity-context.ts'
import type { TestIdentity } from '../../support/identity-context.ts'
import { newPerson, signedIn } from '../../support/people.ts'
import { createWholeDatabase, openAsControlPlane } from '../../support/whole-database.ts'

const DAY_MS = 86_400_000
let site: TestIdentity
let control: Database
beforeAll(async () => {
  site = await createIdentity(createWholeDatabase)
  control = openAsControlPlane(site.url)
})
afterAll(async () => {
  await control.close()
  await site.close()
})

const count = async (table: string, userId: string) => {
  const rows = await site.context.db.query(`select 1 from ${table} where user_id = $1`, [userId])
  return rows.length
}

const run = async () => {
  await sweepIdentity(site.context)
  await sweep({ db: control, clock: site.clock })
}

test('the facts that somebody saw of their server before sending a ticket go after an hour', async () => {
  const userId = systemIds.next()
  const seen = async (agoMs: number) =>
    control.query(`insert into control.seen_contexts values ($1, $2, $3, '{}', $4)`, [
      userId,
      systemIds.next(),
      'mark',
      new Date(site.clock.now() - agoMs),
    ])
  await seen(CONTEXT_LIFE_MS - 60_000)
  await seen(CONTEXT_LIFE_MS + 60_000)
  await run()
  expect(await control.query('select 1 from control.seen_contexts where user_id = $1', [userId])).toHaveLength(1)
})

test('activities of both programs are deleted after exactly 180 days', async () => {
  const { userId } = await newPerson(site)
  await signedIn(
    site,
    (await site.context.db.query<{ username: string }>('select username from public.users where id = $1', [userId]))[0]
      ?.username ?? '',
  )
  await control.query(
    `insert into control.activities (id, user_id, type, status, created_at) values ($1, $2, 'order.placed', 'success', $3)`,
    [systemIds.next(), userId, new Date(site.clock.now())],
  )
  const both = async () => [await count('identity.activities', userId), await count('control.activities', userId)]
  site.clock.advance(180 * DAY_MS)
  await run()
  expect(await both()).toEqual([1, 1])
  site.clock.advance(1)
  await run()
  expect(await both()).toEqual([0, 0])
})

test('an ended session stays 30 days, and longer until its end was announced; its tokens are deleted with it', async () => {
  const { userId, username } = await newPerson(site)
  const { person } = await signedIn(site, username)
  await signedIn(site, username)
  const { db } = site.context
  const ended = new Date(site.clock.now())
  await db.query(`update identity.sessions set ended_at = $2, end_reason = 'logout' where id = $1`, [
    person.sessionId,
    ended,
  ])
  site.clock.advance(30 * DAY_MS + 1)
  await run()
  expect(await count('identity.sessions', userId)).toBe(2)
  await db.query('update identity.sessions set announced_at = $2 where id = $1', [person.sessionId, ended])
  await run()
  expect(await count('identity.sessions', userId)).toBe(1)
  // The other one ended by itself, 14 days after it was used last.
  site.clock.advance(14 * DAY_MS)
  await run()
  expect(await count('identity.sessions', userId)).toBe(0)
  expect(await db.query('select 1 from identity.refresh_tokens where session_id = $1', [person.sessionId])).toEqual([])
})

test('proofs, challenges, attempts, devices, request keys and mails are deleted when they expire', async () => {
  const { userId } = await newPerson(site)
  const { db } = site.context
  const now = new Date(site.clock.now())
  const hash = () => Buffer.from(systemIds.bytes(32))
  await db.query(
    `insert into identity.challenges (hash, browser, purpose, user_id, created_at, expires_at) values ($1, $1, 'new passkey', $2, $3, $3)`,
    [hash(), userId, now],
  )
  await db.query(`insert into identity.discord_attempts values ($1, $1, $2, $2, '/', $3)`, [hash(), userId, now])
  await db.query('insert into identity.known_devices values ($1, $2, $3, $3)', [hash(), userId, now])
  await control.query(
    `insert into control.idempotency_keys (scope, key, user_id, request_hash, locked_until, created_at)
     values ('order', 'k', $1, $2, $3, $3)`,
    [userId, hash(), now],
  )
  const tables = [
    'identity.challenges',
    'identity.email_codes',
    'identity.discord_attempts',
    'identity.known_devices',
    'control.idempotency_keys',
  ]
  const counts = async () => Promise.all(tables.map((table) => count(table, userId)))
  await run()
  expect(await counts()).toEqual([1, 1, 1, 1, 1])
  site.clock.advance(30 * DAY_MS + 1)
  await run()
  expect(await counts()).toEqual([0, 0, 0, 1, 0])
  site.clock.advance(371 * DAY_MS)
  await run()
  expect(await counts()).toEqual([0, 0, 0, 0, 0])
})

test('unexpired rows stay', async () => {
  const { userId, username } = await newPerson(site)
  await signedIn(site, username)
  await run()
  expect(await count('identity.sessions', userId)).toBe(1)
  expect(await count('identity.activities', userId)).toBeGreaterThan(0)
  expect(await count('identity.consents', userId)).toBe(2)
})

test('a ticket is deleted five years after its end with its messages, an open one never', async () => {
  const { userId } = await newPerson(site)
  const closedAt = new Date(site.clock.now())
  const add = async (closed: Date | null) => {
    const id = systemIds.next()
    await control.query(
      `insert into control.tickets (id, identifier, title, category_id, status, opener_id, closed_at, created_at, moved_at)
       values ($1, $2, 'Old', $1, $3, $4, $5, $6, $6)`,
      [id, identifierFrom(systemIds.bytes(32)), closed ? 'closed' : 'open', userId, closed, closedAt],
    )
    await control.query(
      `insert into control.ticket_messages (id, ticket_id, author_id, by_staff, kind, text, created_at)
       values ($1, $1, $2, false, 'message', 'Help', $3)`,
      [id, userId, closedAt],
    )
    return id
  }
  const [closed, open] = [await add(closedAt), await add(null)]
  const left = async () => {
    const rows = await control.query<{ id: string }>('select id from control.ticket_messages where author_id = $1', [
      userId,
    ])
    return new Set(rows.map(({ id }) => id))
  }
  site.clock.advance(5 * 366 * DAY_MS)
  await run()
  expect(await left()).toEqual(new Set([closed, open]))
  site.clock.advance(1)
  await run()
  expect(await left()).toEqual(new Set([open]))
})

test('a received mail is known for sixty days, which is longer than one is looked at, and a refused address for ninety', async () => {
  const at = new Date(site.clock.now())
  const mailbox = systemIds.next()
  await control.query(
    `insert into control.received_mails (mailbox, uid_validity, uid, digest, outcome, received_at) values ($1, 1, 1, 'x', 'spam', $2)`,
    [mailbox, at],
  )
  const hash = Buffer.from(mailbox)
  await control.query(`insert into control.mail_suppressions (address_hash, status, since) values ($1, '5.1.1', $2)`, [
    hash,
    at,
  ])
  const left = async () => {
    const [row] = await control.query<{ mails: number; addresses: number }>(
      `select (select count(*)::integer from control.received_mails where mailbox = $1) as mails,
         (select count(*)::integer from control.mail_suppressions where address_hash = $2) as addresses`,
      [mailbox, hash],
    )
    return [row?.mails, row?.addresses]
  }
  expect(RECEIVED_LIFE_MS).toBeGreaterThan(OLDEST_MAIL_MS)
  site.clock.advance(60 * DAY_MS)
  await run()
  expect(await left()).toEqual([1, 1])
  site.clock.advance(1)
  await run()
  expect(await left()).toEqual([0, 1])
  site.clock.advance(30 * DAY_MS - 1)
  await run()
  expect(await left()).toEqual([0, 1])
  site.clock.advance(1)
  await run()
  expect(await left()).toEqual([0, 0])
})
