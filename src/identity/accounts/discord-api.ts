import * as z from 'zod'

/** A Discord application as configured by staff. */
export type DiscordApplication = { readonly clientId: string; readonly clientSecret: string }

export type DiscordAccount = { readonly id: string; readonly name: string }

/**
 * Why Discord returned no account. `try later` means its rate limit or an outage, `refused` an invalid code or
 * application.
 */
export type DiscordFailure = 'refused' | 'try later' | 'unreadable'

/** Discord refused a request; `reason` contains no secret. */
export class DiscordRefused extends Error {
  override name = 'DiscordRefused'
  readonly failure: DiscordFailure

  constructor(failure: DiscordFailure, reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.failure = failure
  }
}

export type DiscordParts = {
  /** `https://discord.com`; tests use another. */
  readonly baseUrl: string
  readonly request?: typeof fetch
  readonly timeoutMs?: number
}

/** Responses have a few hundred bytes; more than this is never read. */
const MAX_ANSWER_BYTES = 65_536
const TIMEOUT_MS = 8_000

const TokenGrant = z.object({ access_token: z.string().min(1).max(2_000), token_type: z.string(), scope: z.string() })
const OAuthError = z.object({ error: z.string().max(100) })
/** A Discord user: `global_name` is the display name, `username` is unique. Ids are snowflakes, as text. */
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
    // The body does not matter: the status is enough.
  }
  return new DiscordRefused('refused', `Discord answered ${status} ${code}.`.replace(' .', '.'))
}

const ask = async (
  { baseUrl, request = fetch, timeoutMs = TIMEOUT_MS }: DiscordParts,
  path: string,
  init: RequestInit,
): Promise<string> => {
  // The time-out covers the body too, so that a slow response is aborted.
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

/** Discord's consent page. The only scope is `identify`: id and name. */
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
 * Exchanges a code for the Discord account. The access token is revoked at once, since nothing else is ever requested
 * from Discord. Throws DiscordRefused.
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
    // The token expires in a week anyway, so a failure here is ignored.
    await ask(parts, '/oauth2/token/revoke', form(application, revoked)).catch(() => undefined)
  }
}

/** One line of text without marks that change the writing direction. */
const nameOf = (text: string): string =>
  text.replaceAll(/[\s\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu, ' ').trim() || '?'
