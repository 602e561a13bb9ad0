import { afterAll, beforeAll, expect, test } from 'vitest'
import { isUsable } from '#domain/users/roles.ts'
import { turnTotpOff } from '../../../src/identity/factors/factor-setup.ts'
import { readGrants } from '../../../src/identity/people/people.ts'
import { readProfile } from '../../../src/identity/people/profile.ts'
import { readFactors } from '../../../src/identity/sessions/second-factor.ts'
import { createIdentity } from '../../support/identity-context.ts'
import type { TestIdentity } from '../../support/identity-context.ts'
import { newPerson, PASSWORD, personWithTotp, somewhere } from '../../support/people.ts'

let site: TestIdentity
beforeAll(async () => {
  site = await createIdentity()
})
afterAll(() => site.close())

const NONE = { isAdmin: false, isSupport: false }
const ADMIN = { isAdmin: true, isSupport: false }

const give = async (userId: string, flags: { active?: boolean; twoFactorRequired?: boolean }) => {
  const { db, ids } = site.context
  const id = ids.next()
  await db.query(
    `insert into public.roles (id, name, slug, is_admin, active, two_factor_required) values ($1, $2, $2, true, $3, $4)`,
    [id, `role ${id}`, flags.active ?? true, flags.twoFactorRequired ?? false],
  )
  await db.query(`insert into public.users_rels (parent_id, path, roles_id) values ($1, 'role', $2)`, [userId, id])
  return id
}
const seen = async (userId: string) => {
  const profile = await readProfile(site.context.db, userId)
  return { grants: await readGrants(site.context.db, userId), roles: profile?.role.length }
}

test('a role that requires a second factor grants nothing while its person has none', async () => {
  const { userId } = await newPerson(site)
  await give(userId, { twoFactorRequired: true })
  expect(await seen(userId)).toMatchObject({ grants: NONE, roles: 0 })
  expect(await readFactors(site.context.db, userId)).toMatchObject({ isRequired: true })
  const guarded = await personWithTotp(site)
  await give(guarded.userId, { twoFactorRequired: true })
  expect(await seen(guarded.userId)).toMatchObject({ grants: ADMIN, roles: 1 })
  await turnTotpOff(site.context, { person: guarded.person, password: PASSWORD, code: undefined }, somewhere())
  expect(await seen(guarded.userId)).toMatchObject({ grants: NONE, roles: 0 })
})

test('turning off one’s own factor ends every session and its sockets if a role required it', async () => {
  const open = async (userId: string) =>
    (await site.context.db.query('select 1 from identity.sessions where user_id = $1 and ended_at is null', [userId]))
      .length
  const staff = await personWithTotp(site)
  await give(staff.userId, { twoFactorRequired: true })
  const customer = await personWithTotp(site)
  await give(customer.userId, { twoFactorRequired: false })
  for (const { person } of [staff, customer])
    await turnTotpOff(site.context, { person, password: PASSWORD, code: undefined }, somewhere())
  expect([await open(staff.userId), await open(customer.userId)]).toEqual([0, 1])
})

test('an unconfirmed secret is not a second factor', async () => {
  const { userId } = await newPerson(site)
  await give(userId, { twoFactorRequired: true })
  await site.context.db.query(
    `insert into identity.totp (user_id, sealed_secret, created_at) values ($1, 'x', now())`,
    [userId],
  )
  expect(await seen(userId)).toMatchObject({ grants: NONE, roles: 0 })
})

test('an inactive role grants nothing, and an active one beside it still does', async () => {
  const { userId } = await newPerson(site)
  await give(userId, { active: false })
  expect(await seen(userId)).toMatchObject({ grants: NONE, roles: 0 })
  await give(userId, {})
  expect(await seen(userId)).toMatchObject({ grants: ADMIN, roles: 1 })
})

test('the database computes every role as the domain does', async () => {
  const both = [true, false]
  const cases = both.flatMap((active) =>
    both.flatMap((twoFactorRequired) => both.map((hasFactor) => ({ active, twoFactorRequired, hasFactor }))),
  )
  const said = await site.context.db.query<{ usable: boolean }>(
    `select identity.role_is_usable(c.active, c."twoFactorRequired", c."hasFactor") as usable
     from jsonb_to_recordset($1::jsonb) as c (at int, active boolean, "twoFactorRequired" boolean, "hasFactor" boolean)
     order by c.at`,
    [JSON.stringify(cases.map((each, at) => ({ at, ...each })))],
  )
  expect(said.map(({ usable }) => usable)).toEqual(cases.map((role) => isUsable(role, role.hasFactor)))
  // A flag that nobody has set is off.
  const unset = await site.context.db.query(
    'select identity.role_is_usable(null, null, true) as bare, identity.role_is_usable(true, null, false) as active',
  )
  expect(unset).toEqual([{ bare: false, active: true }])
})

test('person and profile have the usable roles of the domain', async () => {
  const both = [true, false]
  for (const person of [await newPerson(site), await personWithTotp(site)]) {
    const { isRequired: _, ...factors } = await readFactors(site.context.db, person.userId)
    for (const active of both) {
      for (const twoFactorRequired of both) {
        const role = await give(person.userId, { active, twoFactorRequired })
        const usable = isUsable({ active, twoFactorRequired }, factors.totp)
        expect(await seen(person.userId)).toMatchObject({ grants: usable ? ADMIN : NONE, roles: usable ? 1 : 0 })
        expect((await readFactors(site.context.db, person.userId)).isRequired).toBe(active && twoFactorRequired)
        await site.context.db.query('delete from public.users_rels where roles_id = $1', [role])
      }
    }
  }
})
