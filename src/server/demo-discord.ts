import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listen } from '#platform/listen.ts'
import { DEMO_DISCORD } from '../identity/accounts/demo-discord-application.ts'

const ACCOUNT = { id: '80351110224678912', username: 'demo-player', global_name: 'Demo Player' }
const MAX_FORM_BYTES = 10_000
/** Consents that nobody completes are forgotten beyond this number. */
const MAX_CODES = 100

type Grant = { readonly redirectUri: string; readonly challenge: string }
type Story = { readonly redirectUri: string; readonly codes: Map<string, Grant>; readonly tokens: Set<string> }

const json = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
  response.end(JSON.stringify(body))
}

const readForm = async (request: IncomingMessage): Promise<URLSearchParams> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    const piece = Buffer.from(chunk as Buffer)
    bytes += piece.length
    if (bytes > MAX_FORM_BYTES) throw new Error('The form is too large.')
    chunks.push(piece)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

const PAGE = (allow: string, cancel: string): string => `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>Discord of the demo</title>
<style>body{background:#101015;color:#f2f0ea;font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:32rem;padding:3rem 1rem}
a{color:#9db8ff;margin-right:1.5rem}</style></head><body><main><h1>Discord of the demo</h1>
<p>This page stands in for Discord. Bakter asks for the name and the id of the account ${ACCOUNT.global_name}.</p>
<p><a href="${escaped(allow)}">Authorize</a><a href="${escaped(cancel)}">Cancel</a></p></main></body></html>`

const back = (redirectUri: string, fields: Readonly<Record<string, string>>): string => {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  return url.href
}

const authorize = ({ redirectUri, codes }: Story, asked: URLSearchParams, response: ServerResponse): void => {
  const isOurs = asked.get('client_id') === DEMO_DISCORD.clientId && asked.get('redirect_uri') === redirectUri
  if (!isOurs) return json(response, 400, { error: 'invalid_request' })
  const state = asked.get('state') ?? ''
  const code = randomBytes(15).toString('base64url')
  const [oldest] = codes.keys()
  if (codes.size >= MAX_CODES && oldest !== undefined) codes.delete(oldest)
  codes.set(code, { redirectUri, challenge: asked.get('code_challenge') ?? '' })
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  })
  response.end(PAGE(back(redirectUri, { state, code }), back(redirectUri, { state, error: 'access_denied' })))
}

const exchange = async ({ codes, tokens }: Story, request: IncomingMessage, response: ServerResponse) => {
  const form = await readForm(request)
  const code = form.get('code') ?? ''
  const grant = codes.get(code)
  codes.delete(code)
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  if (!grant || grant.challenge !== challenge || grant.redirectUri !== form.get('redirect_uri'))
    return json(response, 400, { error: 'invalid_grant' })
  const token = randomBytes(15).toString('base64url')
  tokens.add(token)
  json(response, 200, { token_type: 'Bearer', access_token: token, expires_in: 604_800, scope: 'identify' })
}

const answer = async (story: Story, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://discord.demo')
  const call = `${request.method} ${pathname}`
  if (call === 'GET /api/oauth2/authorize') authorize(story, searchParams, response)
  else if (call === 'POST /api/oauth2/token') await exchange(story, request, response)
  else if (call === 'POST /api/oauth2/token/revoke') {
    story.tokens.delete((await readForm(request)).get('token') ?? '')
    json(response, 200, {})
  } else if (call === 'GET /api/v10/users/@me') {
    const isKnown = story.tokens.has((request.headers.authorization ?? '').replace(/^Bearer /, ''))
    json(response, isKnown ? 200 : 401, isKnown ? ACCOUNT : { message: '401: Unauthorized' })
  } else json(response, 404, { message: '404: Not Found' })
}

/**
 * A small Discord for the demo, with one account and without a sign-in, so that the screens of the link can be seen.
 * It listens at the address of this machine alone.
 */
export const startDemoDiscord = async (siteUrl: string): Promise<{ readonly url: string; close(): void }> => {
  const story: Story = { redirectUri: new URL('/login', siteUrl).href, codes: new Map(), tokens: new Set() }
  const server = createServer((request, response) => {
    answer(story, request, response).catch(() => json(response, 400, { error: 'invalid_request' }))
  })
  await listen(server, { port: 0, host: '127.0.0.1' })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
