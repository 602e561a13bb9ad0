import { afterAll, beforeAll, expect, test } from 'vitest'
import { dismissMessage } from '../../../src/lib/message-store/dismissed-messages.ts'
import { createMessageStore, messagesFor } from '../../../src/lib/message-store/read-messages.ts'
import { createIdentity } from '../../support/identity-context.ts'
import type { TestIdentity } from '../../support/identity-context.ts'
import { newPerson, signedIn } from '../../support/people.ts'

let site: TestIdentity
let read: ReturnType<typeof createMessageStore>
beforeAll(async () => {
  site = await createIdentity()
  read = createMessageStore(site.context.db, () => site.clock.now())
})
afterAll(() => site.close())

type Facts = { severity?: string; audience?: string; from?: Date; to?: Date; texts?: Record<string, string> }

const save = async (text: string, { severity, audience, from, to, texts }: Facts = {}): Promise<string> => {
  const { db, ids } = site.context
  const id = ids.next()
  await db.query(
    `insert into public.global_messages (id, severity, audience, "from", "to") values ($1, $2, $3, $4, $5)`,
    [id, severity ?? 'info', audience ?? 'public', from ?? null, to ?? null],
  )
  for (const [locale, words] of Object.entries(texts ?? { en: text }))
    await db.query(
      `insert into public.global_messages_locales (text, _locale, _parent_id) values ($1, $2::public._locales, $3)`,
      [words, locale, id],
    )
  return id
}
const remove = (id: string) => site.context.db.query('delete from public.global_messages where id = $1', [id])

const textsFor = async (headers: Record<string, string> = {}, locale: 'en' | 'hu' | 'de' = 'en') => {
  const asked = { headers: new Headers(headers), locale, isSecure: true }
  return messagesFor(site.context, read, asked)
}
const shown = async (headers?: Record<string, string>, locale?: 'en' | 'hu' | 'de') =>
  (await textsFor(headers, locale)).messages.map(({ text }) => text)

const someone = async () => {
  const { userId, username } = await newPerson(site)
  const { tokens } = await signedIn(site, username)
  return { userId, headers: { authorization: `Bearer ${tokens.accessToken}` } }
}
const giveRole = async (userId: string, flag: 'is_admin' | 'is_support') => {
  const { db, ids } = site.context
  const id = ids.next()
  await db.query(`insert into public.roles (id, name, slug, ${flag}, active) values ($1, $2, $2, true, true)`, [
    id,
    `role ${id}`,
  ])
  await db.query(`insert into public.users_rels (parent_id, path, roles_id) values ($1, 'role', $2)`, [userId, id])
}

test('each audience reads its own messages, and only staff those for staff', async () => {
  const ids = [
    await save('to all'),
    await save('to customers', { audience: 'customers' }),
    await save('to staff', { audience: 'staff', severity: 'error' }),
  ]
  site.clock.advance(2_000)
  const [customer, support, administrator] = [await someone(), await someone(), await someone()]
  await giveRole(support.userId, 'is_support')
  await giveRole(administrator.userId, 'is_admin')
  expect(await textsFor()).toMatchObject({ reader: null, messages: [{ text: 'to all' }] })
  expect(await shown({ authorization: 'Bearer nonsense' })).toEqual(['to all'])
  expect((await shown(customer.headers)).toSorted()).toEqual(['to all', 'to customers'])
  expect((await textsFor(customer.headers)).reader).toBe(customer.userId)
  for (const { headers } of [support, administrator]) {
    const [first, ...rest] = await shown(headers)
    expect(first).toBe('to staff')
    expect(rest.toSorted()).toEqual(['to all', 'to customers'])
  }
  for (const id of ids) await remove(id)
})

test('a message appears and disappears on time, and a saved one is shown within a second', async () => {
  site.clock.advance(2_000)
  expect(await shown()).toEqual([])
  const at = (ms: number) => new Date(site.clock.now() + ms)
  const id = await save('tonight', { from: at(10_000), to: at(20_000) })
  const now = await save('now')
  site.clock.advance(1_000)
  expect(await shown()).toEqual(['now'])
  await remove(now)
  site.clock.advance(9_000)
  expect(await shown()).toEqual(['tonight'])
  site.clock.advance(9_999)
  expect(await shown()).toEqual(['tonight'])
  site.clock.advance(1)
  expect(await shown()).toEqual([])
  await remove(id)
})

test('each reader gets the page’s language; a missing one falls back to the Hungarian text', async () => {
  const ids = [
    await save('', { texts: { en: 'Maintenance', hu: 'Karbantartás', de: 'Wartung' }, severity: 'error' }),
    await save('', { texts: { hu: 'Csak magyarul' } }),
  ]
  site.clock.advance(2_000)
  expect(await shown({}, 'de')).toEqual(['Wartung', 'Csak magyarul'])
  expect(await shown({}, 'hu')).toEqual(['Karbantartás', 'Csak magyarul'])
  for (const id of ids) await remove(id)
})

test('a change has another revision, so that it is shown again after a dismissal', async () => {
  const id = await save('first')
  site.clock.advance(2_000)
  const before = (await textsFor()).messages[0]?.revision
  await site.context.db.query(`update public.global_messages set updated_at = now() + interval '1 s' where id = $1`, [
    id,
  ])
  site.clock.advance(2_000)
  expect((await textsFor()).messages[0]?.revision).not.toBe(before)
  await remove(id)
})

test('a dismissed message stays dismissed in all browsers of that person only, until it changes', async () => {
  const [panni, bence] = [await someone(), await someone()]
  const [closed, other] = [await save('closed'), await save('other')]
  const { db } = site.context
  site.clock.advance(2_000)
  const seen = (await textsFor(panni.headers)).messages.find(({ id }) => id === closed)
  await dismissMessage(site.context, panni.userId, { id: closed, revision: seen?.revision ?? '' })
  await dismissMessage(site.context, panni.userId, { id: closed, revision: seen?.revision ?? '' })
  await dismissMessage(site.context, panni.userId, { id: panni.userId, revision: '1' })
  expect(await shown(panni.headers)).toEqual(['other'])
  for (const headers of [bence.headers, {}]) expect((await shown(headers)).toSorted()).toEqual(['closed', 'other'])

  await db.query(`update public.global_messages set updated_at = now() + interval '1 s' where id = $1`, [closed])
  site.clock.advance(2_000)
  expect((await shown(panni.headers)).toSorted()).toEqual(['closed', 'other'])

  // Nobody keeps more rows than there are messages.
  await remove(closed)
  await dismissMessage(site.context, panni.userId, { id: other, revision: '1' })
  const kept = await db.query('select message_id from identity.dismissed_messages where user_id = $1', [panni.userId])
  expect(kept).toEqual([{ message_id: other }])
  await remove(other)
})

test('concurrent readers cause one query, and a failure is not cached', async () => {
  let asked = 0
  let fails = true
  const db = {
    query: async () => {
      asked += 1
      if (fails) throw new Error('The database is away.')
      return []
    },
  } as unknown as Parameters<typeof createMessageStore>[0]
  const store = createMessageStore(db, () => 1_000)
  await expect(store()).rejects.toThrow('away')
  fails = false
  await Promise.all(Array.from({ length: 50 }, () => store()))
  expect(asked).toBe(2)
})
