import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { login } from '../../../src/identity/sign-in/login.ts'
import {
  beginDiscordLink,
  finishDiscordLink,
  readDiscordLink,
  sweepDiscordAttempts,
  unlinkDiscord,
} from '../../../src/identity/accounts/discord-link.ts'
import type { DiscordSetting } from '../../../src/identity/accounts/discord-link.ts'
import { endSession } from '../../../src/identity/sessions/sessions.ts'
import { startDiscord } from '../../emulators/discord/discord.ts'
import type { DiscordEmulator, DiscordFault } from '../../emulators/discord/discord.ts'
import { createIdentity } from '../../support/identity-context.ts'
import type { TestIdentity } from '../../support/identity-context.ts'
import { newPerson, PASSWORD, signedIn, somewhere } from '../../support/people.ts'

const REDIRECT = 'https://bakter.test/login'
const APPLICATION = { clientId: '157730590492196864', clientSecret: 'c0ffee-secret' }
const NEXT = '/dashboard/settings'
let site: TestIdentity
let discord: DiscordEmulator
beforeAll(async () => {
  site = await createIdentity()
  discord = await startDiscord({ ...APPLICATION, redirectUris: [REDIRECT] })
})
afterAll(async () => {
  await discord.close()
  await site.close()
})
let accounts = 0
beforeEach(() => {
  accounts += 1
  discord.set('nothing')
  discord.signInAs({
    id: String(80351110224678000n + BigInt(accounts)),
    username: `nelly${accounts}`,
    global_name: null,
  })
  discord.calls.length = 0
  discord.revoked.length = 0
})

const setting = (changes: Partial<DiscordSetting> = {}): DiscordSetting => ({
  discord: { baseUrl: discord.url, timeoutMs: 10_000 },
  application: APPLICATION,
  redirectUri: REDIRECT,
  ...changes,
})

const person = async () => {
  const { userId, username } = await newPerson(site, 'linker')
  const { tokens } = await signedIn(site, username)
  return { userId, username, subject: tokens.subject }
}
type Somebody = Awaited<ReturnType<typeof person>>

const begin = ({ subject }: Somebody, next = NEXT) => beginDiscordLink(site.context, setting(), { subject, next })

const returned = (url: string, decision: 'authorize' | 'cancel' = 'authorize') => {
  const back = discord.decide(url, decision)
  if (typeof back === 'string') throw new Error(back)
  const { code, error } = Object.fromEntries(back.searchParams)
  return { state: back.searchParams.get('state') ?? '', ...(code ? { code } : {}), ...(error ? { error } : {}) }
}

const finish = (back: ReturnType<typeof returned>, browser: string | null, used: DiscordSetting | null = setting()) =>
  finishDiscordLink(site.context, { setting: used, back, browser }, somewhere())

describe('a Discord account', () => {
  test('a failure of ours is thrown: neither is the account taken nor did Discord refuse', async () => {
    const anna = await person()
    const { url, browser } = await begin(anna)
    const fail = () => Promise.reject(new Error('the disk is full'))
    const context = { ...site.context, db: { ...site.context.db, transaction: fail } }
    const back = returned(url)
    await expect(finishDiscordLink(context, { setting: setting(), back, browser }, somewhere())).rejects.toThrow(
      'the disk is full',
    )
    expect(await readDiscordLink(site.context.db, anna.userId)).toBeNull()
  })

  test('an account is linked by code, with id and name, and its token is revoked at once', async () => {
    const anna = await person()
    discord.signInAs({ id: '80351110224678912', username: 'nelly', global_name: 'Nelly ‮the\nfirst' })
    const { url, browser } = await begin(anna)
    expect(new URL(url).searchParams.get('scope')).toBe('identify')
    expect(await finish(returned(url), browser)).toEqual({ result: 'linked', next: NEXT })
    expect(await readDiscordLink(site.context.db, anna.userId)).toMatchObject({ name: 'Nelly the first' })
    expect(discord.revoked).toHaveLength(1)
    expect(discord.tokens()).toEqual([])
    const [row] = await site.context.db.query('select * from identity.discord_links where user_id = $1', [anna.userId])
    expect(row).toMatchObject({ discord_id: '80351110224678912' })
    expect(Object.keys(row ?? {}).sort()).toEqual(['discord_id', 'linked_at', 'name', 'user_id'])
  })

  test('an account belongs to one person; the other is told so and nothing changes', async () => {
    const [anna, bob] = [await person(), await person()]
    const first = await begin(anna)
    await finish(returned(first.url), first.browser)
    const second = await begin(bob)
    expect(await finish(returned(second.url), second.browser)).toMatchObject({ result: 'taken' })
    expect(await readDiscordLink(site.context.db, bob.userId)).toBeNull()
    await unlinkDiscord(site.context, anna.userId, somewhere())
    const third = await begin(bob)
    expect(await finish(returned(third.url), third.browser)).toMatchObject({ result: 'linked' })
  })

  test('of two who link it at once, one gets it', async () => {
    const pair = [await person(), await person()]
    const ends = []
    for (const one of pair) ends.push({ ...(await begin(one)) })
    const results = await Promise.all(ends.map(({ url, browser }) => finish(returned(url), browser)))
    expect(results.map(({ result }) => result).sort()).toEqual(['linked', 'taken'])
  })

  test('unlinking is logged, like linking', async () => {
    const anna = await person()
    const { url, browser } = await begin(anna)
    await finish(returned(url), browser)
    await unlinkDiscord(site.context, anna.userId, somewhere())
    await unlinkDiscord(site.context, anna.userId, somewhere())
    expect(await readDiscordLink(site.context.db, anna.userId)).toBeNull()
    const log = await site.context.db.query<{ type: string }>(
      `select type from identity.activities where user_id = $1 and type like 'discord%' order by id`,
      [anna.userId],
    )
    expect(log.map(({ type }) => type)).toEqual(['discord.linked', 'discord.unlinked'])
  })
})

describe('the state', () => {
  const refused = { result: 'failed', next: null, reason: 'state' }

  test('a state works once', async () => {
    const { url, browser } = await begin(await person())
    const back = returned(url)
    await finish(back, browser)
    expect(await finish(back, browser)).toEqual(refused)
  })

  test('a state works only in the browser that began, and elsewhere sends no request to Discord', async () => {
    const anna = await person()
    const { url, browser } = await begin(anna)
    const other = await begin(await person())
    const back = returned(url)
    for (const wrong of [null, '', 'x'.repeat(43), other.browser]) expect(await finish(back, wrong)).toEqual(refused)
    expect(discord.calls).toEqual([])
    // The attempt of somebody else has not used it up.
    expect(await finish(back, browser)).toMatchObject({ result: 'linked' })
  })

  test('an unknown state is refused', async () => {
    const { browser } = await begin(await person())
    expect(await finish({ state: 'y'.repeat(43), code: 'of-a-stranger' }, browser)).toEqual(refused)
    expect(discord.calls).toEqual([])
  })

  test('a state expires after ten minutes', async () => {
    const { url, browser } = await begin(await person())
    site.clock.advance(600_000)
    expect(await finish(returned(url), browser)).toEqual(refused)
    await sweepDiscordAttempts(site.context.db, { now: () => site.clock.now() + 1 })
    expect(await site.context.db.query('select 1 from identity.discord_attempts')).toEqual([])
  })

  test('a state ends with its session, and does not work for a later one of the same person', async () => {
    const anna = await person()
    const { url, browser } = await begin(anna)
    await endSession(site.context, anna.subject, false)
    await login(site.context, { name: anna.username, password: PASSWORD, device: null }, somewhere())
    expect(await finish(returned(url), browser)).toEqual(refused)
  })

  test('nothing is linked when the session ends while Discord responds', async () => {
    const anna = await person()
    const { url, browser } = await begin(anna)
    const request: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init)
      await endSession(site.context, anna.subject, false)
      return answer
    }
    const slow = setting({ discord: { baseUrl: discord.url, timeoutMs: 5_000, request } })
    expect(await finish(returned(url), browser, slow)).toEqual({
      result: 'failed',
      next: NEXT,
      reason: 'session ended',
    })
    expect(await readDiscordLink(site.context.db, anna.userId)).toBeNull()
    expect(discord.tokens()).toEqual([])
  })

  test('a code of another attempt does not match: PKCE', async () => {
    const [victim, thief] = [await begin(await person()), await begin(await person())]
    const stolen = returned(thief.url)
    const end = await finish({ ...returned(victim.url), code: stolen.code ?? '' }, victim.browser)
    expect(end).toMatchObject({ result: 'failed', reason: expect.stringContaining('invalid_grant') })
  })
})

describe('failures of a link', () => {
  test('after a refusal by the person no request is sent to Discord', async () => {
    const anna = await person()
    const { url, browser } = await begin(anna)
    expect(await finish(returned(url, 'cancel'), browser)).toEqual({ result: 'failed', next: NEXT, reason: 'denied' })
    expect(discord.calls).toEqual([])
  })

  test.each<[DiscordFault, string]>([
    ['rate limited', 'try later'],
    ['down', 'try later'],
    ['slow', 'try later'],
    ['trickle', 'try later'],
    ['huge', 'unreadable'],
    ['not json', 'unreadable'],
    ['no user', 'refused'],
    ['odd user', 'unreadable'],
  ])('Discord is %s: nothing is linked, and the token is revoked', async (fault, failure) => {
    const anna = await person()
    const { url, browser } = await begin(anna)
    const back = returned(url)
    discord.set(fault)
    const timeoutMs = fault === 'slow' || fault === 'trickle' ? 2_000 : 10_000
    const end = await finish(back, browser, setting({ discord: { baseUrl: discord.url, timeoutMs } }))
    expect(end).toMatchObject({ result: 'failed', next: NEXT, reason: expect.stringMatching(`^${failure}: `) })
    expect(await readDiscordLink(site.context.db, anna.userId)).toBeNull()
    expect(discord.tokens()).toEqual([])
    expect(end.reason).not.toContain(back.code)
  })

  test.each([
    ['a wrong secret', { clientSecret: 'another' }, 'invalid_client'],
    ['an application that does not exist', { clientId: '1' }, 'invalid_client'],
  ])('%s', async (_name, change, code) => {
    const { url, browser } = await begin(await person())
    const used = setting({ application: { ...APPLICATION, ...change } })
    expect(await finish(returned(url), browser, used)).toMatchObject({ reason: expect.stringContaining(code) })
  })

  test('an application removed meanwhile', async () => {
    const { url, browser } = await begin(await person())
    expect(await finish(returned(url), browser, null)).toMatchObject({ result: 'failed', reason: 'not configured' })
  })

  test('Discord itself reports a redirect address missing from the application, and nobody returns', async () => {
    const { url } = await begin(await person())
    const elsewhere = new URL(url)
    elsewhere.searchParams.set('redirect_uri', 'https://evil.test/login')
    expect(discord.decide(elsewhere.href, 'authorize')).toBe('Invalid OAuth2 redirect_uri')
  })
})
