import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO_DISCORD } from '../../../src/identity/accounts/demo-discord-application.ts'
import { discordAccount, discordPage } from '../../../src/identity/accounts/discord-api.ts'
import { startDemoDiscord } from '../../../src/server/demo-discord.ts'

const SITE = 'http://127.0.0.1:3000'
const redirectUri = `${SITE}/login`
const verifier = 'a verifier of this test'
const codeChallenge = createHash('sha256').update(verifier).digest('base64url')

let discord: Awaited<ReturnType<typeof startDemoDiscord>>
beforeAll(async () => {
  discord = await startDemoDiscord(SITE)
})
afterAll(() => discord.close())

const consent = async (change: { redirectUri?: string; clientId?: string } = {}) => {
  const asked = { clientId: DEMO_DISCORD.clientId, redirectUri, state: 'a state', codeChallenge, ...change }
  const answer = await fetch(discordPage(discord.url, asked))
  const links = [...(await answer.text()).matchAll(/href="([^"]+)"/g)].map(
    ([, href = '']) => new URL(href.replaceAll('&amp;', '&')),
  )
  return { status: answer.status, links }
}
const account = (code: string, by = verifier) =>
  discordAccount({ baseUrl: discord.url }, DEMO_DISCORD, { code, redirectUri, verifier: by })

test('an account is linked with the code of the consent, once', async () => {
  const { links } = await consent()
  expect(links.map(({ origin, pathname }) => `${origin}${pathname}`)).toEqual([redirectUri, redirectUri])
  const code = links[0]?.searchParams.get('code') ?? ''
  expect(links[0]?.searchParams.get('state')).toBe('a state')
  expect(links[1]?.searchParams.get('error')).toBe('access_denied')
  expect(await account(code)).toEqual({ id: '80351110224678912', name: 'Demo Player' })
  await expect(account(code)).rejects.toThrow('Discord answered 400')
})

test('a code is refused to everybody who did not begin the link', async () => {
  const { links } = await consent()
  await expect(account(links[0]?.searchParams.get('code') ?? '', 'another')).rejects.toThrow('Discord answered 400')
})

test('nobody is redirected to another site or application', async () => {
  expect((await consent({ redirectUri: 'https://elsewhere.example/login' })).status).toBe(400)
  expect((await consent({ clientId: 'another' })).status).toBe(400)
})
