import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHostFigures } from '../../../src/account/host-figures.ts'
import type { Sql } from '../../../src/identity/context/database.ts'
import { createIdentity, type TestIdentity } from '../../support/identity-context.ts'
import { newPerson } from '../../support/people.ts'

const MINUTE_MS = 60_000
let site: TestIdentity
beforeAll(async () => {
  site = await createIdentity()
})
afterAll(() => site.close())

/** As a page would read them after the last ones are old. */
const fresh = () => createHostFigures(site.context)()
const show = (shown: boolean) =>
  site.context.db.query(
    `insert into public.settings (id, host_name, shown_registered_users) values ($1, 'Bakter', $2)
     on conflict (id) do update set shown_registered_users = excluded.shown_registered_users`,
    ['019a0000-0000-7000-8000-000000000001', shown],
  )

test('registered are all people whose account is not erased, those included who are leaving', async () => {
  const { registeredUsers: before = 0 } = await fresh()
  const people = [await newPerson(site), await newPerson(site), await newPerson(site)]
  const state = (userId: string | undefined, word: string) =>
    site.context.db.query('update public.users set account_state = $2 where id = $1', [userId, word])
  await state(people[0]?.userId, 'erased')
  await state(people[1]?.userId, 'leaving')
  expect(await fresh()).toEqual({ registeredUsers: before + 2 })
})

test('fifty pages at once lead to one count, which is reused for a minute', async () => {
  const asked: string[] = []
  const db: Sql = {
    query: (text, values) => {
      asked.push(text)
      return site.context.db.query(text, values)
    },
  }
  const figures = createHostFigures({ db, clock: site.clock })
  const [first] = await Promise.all(Array.from({ length: 50 }, figures))
  await newPerson(site)
  site.clock.advance(MINUTE_MS - 1)
  expect(await figures()).toEqual(first)
  expect(asked).toHaveLength(1)
  site.clock.advance(1)
  expect(await figures()).toEqual({ registeredUsers: (first?.registeredUsers ?? 0) + 1 })
  expect(asked).toHaveLength(2)
})

test('a figure that staff hide is absent, and is there again once they show it', async () => {
  await show(false)
  expect(await fresh()).toEqual({})
  await show(true)
  expect((await fresh()).registeredUsers).toBeGreaterThan(0)
})
