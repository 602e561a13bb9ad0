import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { login } from '../../../src/identity/sign-in/login.ts'
import type { Sql } from '../../../src/identity/context/database.ts'
import { HasherBusy } from '../../../src/identity/context/password-hasher.ts'
import { insertPerson } from '../../../src/identity/people/people.ts'
import { register } from '../../../src/identity/accounts/register.ts'
import { createIdentity } from '../../support/identity-context.ts'
import { waitFor } from '../../support/wait-for.ts'
import type { TestIdentity } from '../../support/identity-context.ts'

let site: TestIdentity
beforeAll(async () => {
  site = await createIdentity()
})
afterAll(() => site.close())

const from = (address: string) => ({ address, userAgent: 'test' })
const password = 'correct horse battery'
let people = 0
const person = async () => {
  people += 1
  const names = { username: `person${people}`, email: `person${people}@example.test` }
  const answer = await register(site.context, { ...names, password, language: 'en' }, from(`10.9.${people}.1`))
  if (!answer.ok) throw new Error(answer.code)
  return { ...names, userId: answer.userId }
}
const attempt = (name: string, given = password, device: string | null = null) => ({ name, password: given, device })

beforeEach(async () => {
  await site.context.db.query('truncate identity.limit_buckets')
})

describe('register', () => {
  test('registering creates person, password and consents together', async () => {
    const { username } = await person()
    const rows = await site.context.db.query<{ identifier: string; consents: number; hash: string }>(
      `select identifier, (select count(*)::int from identity.consents where user_id = person.id) as consents,
              (select password_hash from identity.credentials where user_id = person.id) as hash
       from public.users person where username = $1`,
      [username],
    )
    expect(rows).toEqual([
      {
        identifier: expect.stringMatching(/^[acdefghjkmnpqrtuvwxy34679]{8}$/),
        consents: 2,
        hash: `hash of ${password}`,
      },
    ])
  })

  test('names are unique regardless of case', async () => {
    const { username } = await person()
    const again = (names: { username: string; email: string }) =>
      register(site.context, { ...names, password, language: 'en' }, from('10.8.0.1'))
    expect(await again({ username: username.toUpperCase(), email: 'other@example.test' })).toEqual({
      ok: false,
      code: 'USERNAME_TAKEN',
    })
  })

  test('of 20 concurrent registrations of one name exactly one wins, and the others leave nothing', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        register(
          site.context,
          { username: 'contested', email: `contested${at}@example.test`, password, language: 'en' },
          from(`10.7.0.${at}`),
        ),
      ),
    )
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1)
    expect(new Set(answers.filter((answer) => !answer.ok).map((answer) => answer.code))).toEqual(
      new Set(['USERNAME_TAKEN']),
    )
    const orphans = await site.context.db.query(
      'select 1 from identity.credentials where user_id not in (select id from public.users)',
    )
    expect(orphans).toEqual([])
  })

  test('of two that check at the same moment the index decides', async () => {
    const { db, ids } = site.context
    const add = (tx: Sql, username: string, email: string) =>
      insertPerson(tx, { id: ids.next(), username, email, language: 'en' }, { ids, nowMs: site.clock.now() })
    const race = async (second: { username: string; email: string }) => {
      let late: Promise<unknown> = Promise.resolve()
      await db.transaction(async (tx) => {
        await add(tx, 'racer', 'racer@example.test')
        late = db.transaction((other) => add(other, second.username, second.email)).catch((error: unknown) => error)
        const waits = () =>
          tx.query("select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()")
        await waitFor('the second to wait for the first', async () => (await waits()).length > 0)
      })
      // Deleted before the second has looked again, the first would be no hindrance any more.
      const answer = await late
      await db.query("delete from public.users where username = 'racer'")
      return answer
    }
    expect(await race({ username: 'racer', email: 'other@example.test' })).toMatchObject({ code: 'USERNAME_TAKEN' })
    expect(await race({ username: 'other', email: 'racer@example.test' })).toMatchObject({ code: 'EMAIL_TAKEN' })
  })

  test('the limit is checked before anything is hashed', async () => {
    const before = site.counts.hash
    for (let at = 0; at < 30; at += 1) {
      await register(
        site.context,
        { username: `flood${at}`, email: `flood${at}@example.test`, password, language: 'en' },
        from('10.6.0.1'),
      )
    }
    expect(site.counts.hash - before).toBe(10)
  })

  test('staff can close registration', async () => {
    await site.context.db.query(
      `insert into public.settings (id, kill_switches_registration) values (gen_random_uuid(), false)`,
    )
    const answer = await register(
      site.context,
      { username: 'toolate', email: 'toolate@example.test', password, language: 'en' },
      from('10.5.0.1'),
    )
    expect(answer).toEqual({ ok: false, code: 'REGISTRATION_DISABLED' })
    await site.context.db.query('delete from public.settings')
  })
})

describe('login', () => {
  test('the username and the e-mail address are accepted, in any case', async () => {
    const { userId, username, email } = await person()
    for (const name of [username, username.toUpperCase(), email, email.toUpperCase()]) {
      const answer = await login(site.context, attempt(name), from('10.0.0.1'))
      expect(answer).toMatchObject({ ok: true, tokens: { subject: { userId } } })
    }
  })

  test('an unknown name and a wrong password get the same response and cost the same checks (case 15)', async () => {
    const { username, email } = await person()
    await login(site.context, attempt('warm-up', 'x'), from('10.0.0.2'))
    const ask = async (name: string) => {
      const before = { ...site.counts }
      const answer = await login(site.context, attempt(name, 'wrong password'), from('10.0.0.2'))
      return { answer, hashes: site.counts.hash - before.hash, checks: site.counts.verify - before.verify }
    }
    const unknown = await ask('nobody-here')
    expect(unknown).toEqual({ answer: { ok: false, code: 'INVALID_CREDENTIALS' }, hashes: 0, checks: 1 })
    expect(await ask(username)).toEqual(unknown)
    const byAddress = await ask('nobody-here@example.test')
    expect(byAddress).toEqual({ ...unknown, checks: 2 })
    expect(await ask(email)).toEqual(byAddress)
  })

  test('the dummy hash of unknown names never matches', async () => {
    expect(await login(site.context, attempt('nobody-here', 'a password that nobody has'), from('10.0.0.3'))).toEqual({
      ok: false,
      code: 'INVALID_CREDENTIALS',
    })
  })

  test('one flooding address blocks nobody else: 1,000 sign-ins hash 20 times, and others sign in meanwhile (case 13)', async () => {
    const { username } = await person()
    const other = await person()
    const before = site.counts.verify
    const flood = Array.from({ length: 1_000 }, (_, at) =>
      login(site.context, attempt(`victim${at}`, 'wrong password'), from('10.0.1.1')),
    )
    expect(await login(site.context, attempt(other.username), from('10.0.1.2'))).toMatchObject({ ok: true })
    const answers = await Promise.all(flood)
    expect(answers.filter((answer) => !answer.ok && answer.code === 'TOO_MANY_REQUESTS')).toHaveLength(980)
    expect(site.counts.verify - before).toBe(21)
    expect(await login(site.context, attempt(username), from('10.0.1.3'))).toMatchObject({ ok: true })
  })

  test('without a turn the caller is told so, and neither account nor password is read (case 13)', async () => {
    const { username } = await person()
    const statements: string[] = []
    const { context } = site
    const full = { ...context.hasher, turn: () => Promise.reject(new HasherBusy('full')) }
    const db = {
      ...context.db,
      query: <Row extends object>(text: string, values?: readonly unknown[]) => {
        statements.push(text)
        return context.db.query<Row>(text, values)
      },
    }
    const before = site.counts.verify
    const answer = login({ ...context, hasher: full, db }, attempt(username), from('10.0.8.1'))
    await expect(answer).rejects.toThrow(HasherBusy)
    expect([statements, site.counts.verify]).toEqual([[], before])
  })

  test('a session that cannot be stored is a failure, and never reads as a wrong password', async () => {
    const { username } = await person()
    const { context } = site
    const broken = new Error('no space left on device')
    const db = {
      ...context.db,
      transaction: async <Result>(work: (tx: Sql) => Promise<Result>) =>
        context.db.transaction((tx) =>
          work({
            query: (text, values) =>
              text.includes('insert into identity.sessions') ? Promise.reject(broken) : tx.query(text, values),
          }),
        ),
    }
    await expect(login({ ...context, db }, attempt(username), from('10.0.9.1'))).rejects.toThrow(broken)
    expect(await login(context, attempt(username), from('10.0.9.1'))).toMatchObject({ ok: true })
  })

  test('attempt 11 of the attacker is refused even with the right password; the known device signs in (case 12)', async () => {
    const { username } = await person()
    const first = await login(site.context, attempt(username), from('10.0.2.1'))
    const device = first.ok ? first.device : null
    for (let at = 0; at < 10; at += 1) {
      expect(await login(site.context, attempt(username, `guess ${at}`), from('10.0.2.9'))).toMatchObject({
        code: 'INVALID_CREDENTIALS',
      })
    }
    expect(await login(site.context, attempt(username), from('10.0.2.9'))).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    expect(await login(site.context, attempt(username, password, device), from('10.0.2.1'))).toMatchObject({ ok: true })
  })

  test('a distributed attack exhausts the account’s bucket, and the owner signs in from the known device (case 12)', async () => {
    const { username } = await person()
    const first = await login(site.context, attempt(username), from('10.0.3.1'))
    const device = first.ok ? first.device : null
    for (let at = 0; at < 60; at += 1) await login(site.context, attempt(username, 'guess'), from(`10.1.${at}.1`))
    expect(await login(site.context, attempt(username), from('10.2.0.1'))).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    expect(await login(site.context, attempt(username, password, device), from('10.0.3.1'))).toMatchObject({ ok: true })
  })

  test('one person’s device does not help with another person’s account', async () => {
    const [owner, attacker] = [await person(), await person()]
    const first = await login(site.context, attempt(attacker.username), from('10.0.4.1'))
    const device = first.ok ? first.device : null
    for (let at = 0; at < 10; at += 1)
      await login(site.context, attempt(owner.username, 'guess', device), from('10.0.4.2'))
    expect(await login(site.context, attempt(owner.username, password, device), from('10.0.4.2'))).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
    })
  })

  test('when two people share a device and one is attacked there, the other signs in (case 12)', async () => {
    const [anna, bela] = [await person(), await person()]
    const first = await login(site.context, attempt(anna.username), from('10.0.7.1'))
    const second = await login(
      site.context,
      attempt(bela.username, password, first.ok ? first.device : null),
      from('10.0.7.1'),
    )
    const device = second.ok ? second.device : null
    for (let at = 0; at < 60; at += 1)
      await login(site.context, attempt(anna.username, 'guess', device), from(`10.3.${at}.1`))
    const tried = (name: string) => login(site.context, attempt(name, password, device), from('10.0.7.2'))
    expect(await tried(anna.username)).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    expect(await tried(bela.username)).toMatchObject({ ok: true })
  })

  test('e-mail address and username of one account share its buckets', async () => {
    const { username, email } = await person()
    for (let at = 0; at < 5; at += 1) {
      await login(site.context, attempt(username, 'guess'), from('10.0.5.1'))
      await login(site.context, attempt(email, 'guess'), from('10.0.5.1'))
    }
    expect(await login(site.context, attempt(email), from('10.0.5.1'))).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  })

  test('IPv6 addresses of one /64 share a bucket', async () => {
    for (let at = 0; at < 20; at += 1) await login(site.context, attempt(`six${at}`, 'x'), from(`2001:db8:1:2::${at}`))
    expect(await login(site.context, attempt('six', 'x'), from('2001:db8:1:2:ffff::1'))).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
    })
    expect(await login(site.context, attempt('six', 'x'), from('2001:db8:1:3::1'))).toMatchObject({
      code: 'INVALID_CREDENTIALS',
    })
  })

  test('a refused caller learns how long to wait, and may then try again', async () => {
    for (let at = 0; at < 20; at += 1) await login(site.context, attempt(`wait${at}`, 'x'), from('10.0.6.1'))
    const refused = await login(site.context, attempt('wait', 'x'), from('10.0.6.1'))
    expect(refused).toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfterSeconds: 15 })
    site.clock.advance(15_000)
    expect(await login(site.context, attempt('wait', 'x'), from('10.0.6.1'))).toMatchObject({
      code: 'INVALID_CREDENTIALS',
    })
  })
})
