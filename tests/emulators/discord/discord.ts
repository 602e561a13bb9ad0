import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The faults of Discord. `slow` never responds, `trickle` sends its body endlessly, `huge` sends more than any client
 * reads.
 */
export type DiscordFault =
  'nothing' | 'rate limited' | 'down' | 'slow' | 'trickle' | 'huge' | 'not json' | 'no user' | 'odd user'

export type DiscordUser = { readonly id: string; readonly username: string; readonly global_name: string | null }

export type DiscordOptions = {
  readonly clientId: string
  readonly clientSecret: string
  /** The registered redirect addresses of the application; no others are accepted. */
  readonly redirectUris: readonly string[]
}

type Grant = { redirectUri: string; challenge: string | null; user: DiscordUser; scope: string }

export type DiscordEmulator = {
  readonly url: string
  /** Every call of the API, as `METHOD path`. */
  readonly calls: string[]
  readonly revoked: string[]
  /** Tokens that are still valid. */
  readonly tokens: () => string[]
  set(fault: DiscordFault): void
  /** Sets the person who views the consent page. */
  signInAs(user: DiscordUser): void
  /** The browser's result on the page: the redirect address, or the error that Discord shows. */
  decide(pageUrl: string, decision: 'authorize' | 'cancel'): URL | string
  close(): Promise<void>
}

type Story = {
  readonly options: DiscordOptions
  fault: DiscordFault
  user: DiscordUser
  readonly codes: Map<string, Grant>
  readonly tokens: Map<string, { user: DiscordUser; scope: string }>
  readonly revoked: string[]
  readonly calls: string[]
}

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

const decide = (story: Story, pageUrl: string, decision: 'authorize' | 'cancel'): URL | string => {
  const { searchParams: asked } = new URL(pageUrl)
  const redirectUri = asked.get('redirect_uri') ?? ''
  if (asked.get('client_id') !== story.options.clientId) return 'Unknown Application'
  if (!story.options.redirectUris.includes(redirectUri)) return 'Invalid OAuth2 redirect_uri'
  const back = new URL(redirectUri)
  const state = asked.get('state')
  if (state !== null) back.searchParams.set('state', state)
  if (asked.get('response_type') !== 'code' || !asked.get('scope')) {
    back.searchParams.set('error', 'invalid_request')
    return back
  }
  if (decision === 'cancel') {
    back.searchParams.set('error', 'access_denied')
    back.searchParams.set('error_description', 'The resource owner or authorization server denied the request')
    return back
  }
  const code = randomBytes(15).toString('base64url')
  const challenge = asked.get('code_challenge_method') === 'S256' ? asked.get('code_challenge') : null
  story.codes.set(code, { redirectUri, challenge, user: story.user, scope: asked.get('scope') ?? '' })
  back.searchParams.set('code', code)
  return back
}

const readForm = async (request: IncomingMessage): Promise<URLSearchParams | null> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const type = request.headers['content-type'] ?? ''
  return type.startsWith('application/x-www-form-urlencoded')
    ? new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
    : null
}

/** HTTP Basic, or the two fields of the body; Discord accepts either. */
const isClient = ({ options }: Story, request: IncomingMessage, form: URLSearchParams): boolean => {
  const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  if (basic !== undefined)
    return Buffer.from(basic, 'base64').toString('utf8') === `${options.clientId}:${options.clientSecret}`
  return form.get('client_id') === options.clientId && form.get('client_secret') === options.clientSecret
}

const invalidGrant = (text: string) => ({ error: 'invalid_grant', error_description: text })

const token = async (story: Story, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const form = await readForm(request)
  if (form === null) return json(response, 400, { error: 'invalid_request' })
  if (!isClient(story, request, form)) return json(response, 401, { error: 'invalid_client' })
  if (form.get('grant_type') !== 'authorization_code')
    return json(response, 400, { error: 'unsupported_grant_type', error_description: 'Unsupported grant_type' })
  const code = form.get('code') ?? ''
  const grant = story.codes.get(code)
  // A code works once, whatever its result.
  story.codes.delete(code)
  if (!grant) return json(response, 400, invalidGrant('Invalid "code" in request.'))
  if (grant.redirectUri !== form.get('redirect_uri'))
    return json(response, 400, invalidGrant('Invalid "redirect_uri" in request.'))
  const verifier = form.get('code_verifier') ?? ''
  if (grant.challenge !== null && createHash('sha256').update(verifier).digest('base64url') !== grant.challenge)
    return json(response, 400, invalidGrant('Invalid "code_verifier" in request.'))
  const accessToken = randomBytes(15).toString('base64url')
  story.tokens.set(accessToken, { user: grant.user, scope: grant.scope })
  json(response, 200, {
    token_type: 'Bearer',
    access_token: accessToken,
    expires_in: 604_800,
    refresh_token: randomBytes(15).toString('base64url'),
    scope: grant.scope,
  })
}

const revoke = async (story: Story, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const form = await readForm(request)
  if (form === null || !isClient(story, request, form)) return json(response, 401, { error: 'invalid_client' })
  const revoked = form.get('token') ?? ''
  if (story.tokens.delete(revoked)) story.revoked.push(revoked)
  json(response, 200, {})
}

const me = (story: Story, request: IncomingMessage, response: ServerResponse): void => {
  const held = story.tokens.get(/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '')
  if (story.fault === 'no user' || !held) return json(response, 401, { message: '401: Unauthorized', code: 0 })
  if (story.fault === 'odd user') return json(response, 200, { id: 'me', username: '' })
  json(response, 200, { ...held.user, discriminator: '0', avatar: null, flags: 0, locale: 'en-US', mfa_enabled: true })
}

/** Applies the faults that any call may have; true when a response was sent, or never will be. */
const fails = ({ fault }: Story, response: ServerResponse): boolean => {
  if (fault === 'rate limited') {
    const body = { message: 'You are being rate limited.', retry_after: 64.57, global: false }
    json(response, 429, body, { 'retry-after': '65', 'x-ratelimit-scope': 'user' })
  } else if (fault === 'down') json(response, 503, { message: 'Service Unavailable' })
  else if (fault === 'not json') {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<html>One moment</html>')
  } else if (fault === 'huge') {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(`{"access_token":"${'a'.repeat(1_000_000)}"}`)
  } else if (fault === 'trickle') {
    response.writeHead(200, { 'content-type': 'application/json' })
    const timer = setInterval(() => response.write(' '), 10)
    response.on('close', () => clearInterval(timer))
  } else return fault === 'slow'
  return true
}

const PAGE = (authorize: string, cancel: string) =>
  `<!doctype html><title>Discord</title><a href="${authorize}">Authorize</a> <a href="${cancel}">Cancel</a>`

const page = (story: Story, request: IncomingMessage, response: ServerResponse): void => {
  const at = `http://${request.headers.host}${request.url}`
  const [authorize, cancel] = [decide(story, at, 'authorize'), decide(story, at, 'cancel')]
  const isError = typeof authorize === 'string' || typeof cancel === 'string'
  response.writeHead(isError ? 400 : 200, { 'content-type': 'text/html' })
  response.end(
    isError ? String(authorize) : PAGE(authorize.href.replaceAll('&', '&amp;'), cancel.href.replaceAll('&', '&amp;')),
  )
}

const answer = async (story: Story, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const path = (request.url ?? '').split('?')[0]
  story.calls.push(`${request.method} ${path}`)
  if (path === '/api/oauth2/authorize') return page(story, request, response)
  if (fails(story, response)) return
  if (request.method === 'POST' && path === '/api/oauth2/token') return token(story, request, response)
  if (request.method === 'POST' && path === '/api/oauth2/token/revoke') return revoke(story, request, response)
  if (request.method === 'GET' && path === '/api/v10/users/@me') return me(story, request, response)
  json(response, 404, { message: '404: Not Found', code: 0 })
}

/**
 * Discord within its published contract: authorize, token, users/@me and revoke, with PKCE (its authorization-server
 * metadata).
 */
export const startDiscord = async (options: DiscordOptions, port = 0): Promise<DiscordEmulator> => {
  const user = { id: '80351110224678912', username: 'nelly', global_name: 'Nelly' }
  const story: Story = { options, fault: 'nothing', user, revoked: [], calls: [], codes: new Map(), tokens: new Map() }
  const server = createServer((request, response) => void answer(story, request, response))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: story.calls,
    revoked: story.revoked,
    tokens: () => [...story.tokens.keys()],
    set: (fault) => void (story.fault = fault),
    signInAs: (someone) => void (story.user = someone),
    decide: (pageUrl, decision) => decide(story, pageUrl, decision),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
