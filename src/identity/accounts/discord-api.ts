import * as z from 'zod'

/** An application of Discord, as staff entered it. */
export type DiscordApplication = { readonly clientId: string; readonly clientSecret: string }

export type DiscordAccount = { readonly id: string; readonly name: string }

/** Why Discord gave no account. `try later` is its limit or its trouble, `refused` a code or an application that it does not take. */
export type DiscordFailure = 'refused' | 'try later' | 'unreadable'

/** Discord did not do what it was asked; `reason` says nothing secret. */
export class DiscordRefused extends Error {
  override name = 'DiscordRefused'
  readonly failure: DiscordFailure

  constructor(failure: DiscordFailure, reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.failure = failure
  }
}

export type DiscordParts = {
  /** `https://discord.com`; tests have another. */
  readonly baseUrl: string
  readonly request?: typeof fetch
  readonly timeoutMs?: number
}

/** Answers are some hundred bytes; nothing reads more than this. */
const MAX_ANSWER_BYTES = 65_536
const TIMEOUT_MS = 8_000

const TokenGrant = z.object({ access_token: z.string().min(1).max(2_000), token_type: z.string(), scope: z.string() })
const OAuthError = z.object({ error: z.string().max(100) })
/** A user of Discord: `global_name` is what others see, `username` is unique. Ids are snowflakes, as text. */
const Me = z.object({
  id: z.string().regex(/^[0-9]{1,20}$/),
  username: z.string().min(1).max(100),
  global_name: z.string().max(100).nullish(),
})

const readBounded = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = []
  let size = 0
  if (response.body === null) return ''
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > MAX_ANSWER_BYTES) throw new DiscordRefused('unreadable', 'The answer is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const parsed = <Shape extends z.ZodType>(shape: Shape, text: string): z.infer<Shape> => {
  try {
    return shape.parse(JSON.parse(text))
  } catch (cause) {
    throw new DiscordRefused('unreadable', 'The answer is not what Discord documents.', { cause })
  }
}

const refusalOf = (status: number, text: string): DiscordRefused => {
  if (status === 429 || status >= 500) return new DiscordRefused('try later', `Discord answered ${status}.`)
  let code = ''
  try {
    code = OAuthError.safeParse(JSON.parse(text)).data?.error ?? ''
  } catch {
    // Whatever it is: the status says enough.
  }
  return new DiscordRefused('refused', `Discord answered ${status} ${code}.`.replace(' .', '.'))
}

const ask = async (
  { baseUrl, request = fetch, timeoutMs = TIMEOUT_MS }: DiscordParts,
  path: string,
  init: RequestInit,
): Promise<string> => {
  // The time-out covers the body, too: a slow answer ends with it.
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await request(`${baseUrl}/api${path}`, { ...init, redirect: 'error', cache: 'no-store', signal })
    const text = await readBounded(response)
    if (!response.ok) throw refusalOf(response.status, text)
    return text
  } catch (error) {
    if (error instanceof DiscordRefused) throw error
    throw new DiscordRefused('try later', 'Discord does not answer.', { cause: error })
  }
}

const form = ({ clientId, clientSecret }: DiscordApplication, fields: Record<string, string>): RequestInit => ({
  method: 'POST',
  headers: {
    accept: 'application/json',
    authorization: `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  },
  body: new URLSearchParams(fields).toString(),
})

/** The page that asks the person. `identify` is all that is wanted: id and name. */
export const discordPage = (
  baseUrl: string,
  asked: { clientId: string; redirectUri: string; state: string; codeChallenge: string },
): string => {
  const url = new URL('/api/oauth2/authorize', baseUrl)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: asked.clientId,
    scope: 'identify',
    state: asked.state,
    redirect_uri: asked.redirectUri,
    prompt: 'consent',
    code_challenge: asked.codeChallenge,
    code_challenge_method: 'S256',
  }).toString()
  return url.href
}

/**
 * Trades a code for the account it stands for. The token that comes with it is revoked at once: nothing else is asked of
 * Discord, ever. Throws DiscordRefused.
 */
export const discordAccount = async (
  parts: DiscordParts,
  application: DiscordApplication,
  { code, redirectUri, verifier }: { code: string; redirectUri: string; verifier: string },
): Promise<DiscordAccount> => {
  const fields = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
  const grant = parsed(TokenGrant, await ask(parts, '/oauth2/token', form(application, fields)))
  const headers = { accept: 'application/json', authorization: `Bearer ${grant.access_token}` }
  try {
    const me = parsed(Me, await ask(parts, '/v10/users/@me', { headers }))
    return { id: me.id, name: nameOf(me.global_name || me.username) }
  } finally {
    const revoked = { token: grant.access_token, token_type_hint: 'access_token' }
    // It ends by itself in a week; a failure here takes nothing back.
    await ask(parts, '/oauth2/token/revoke', form(application, revoked)).catch(() => undefined)
  }
}

/** One line of text without marks that turn the direction of writing. */
const nameOf = (text: string): string =>
  text.replaceAll(/[\s\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu, ' ').trim() || '?'
