import { request as httpRequest } from 'node:http'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import {
  AGENT_CORS,
  AGENT_HTTP,
  TOKEN_PURPOSES,
  type AgentCall,
  type TokenPurpose,
} from '#contracts/panel/agent-http.ts'
import { AGENT_PATHS } from '#contracts/panel/agent-paths.ts'
import { PERMISSIONS } from '#contracts/panel/permissions.ts'
import { nextId, SERVER_ID } from '../../factories/server-spec.ts'
import { SITE_ORIGIN } from '../../support/control-plane-stand-in.ts'
import { FilesAgent, refusalIn, type AgentAnswer } from '../../support/files-agent.ts'

const OTHER_SERVER = '0192aaaa-aaaa-7aaa-8aaa-aaaaaaaaaaaa'
const UPLOAD = '0192bbbb-bbbb-7bbb-8bbb-bbbbbbbbbbbb'
const FOREIGN = 'https://evil.test'
const KEY = Buffer.alloc(16).toString('base64')

let agent: FilesAgent
beforeAll(async () => {
  agent = await FilesAgent.open()
}, 120_000)
afterAll(() => agent.close())

const nameOf = ({ method, path }: AgentCall): string => `${method} ${path}`
const ROWS = AGENT_HTTP.map((call) => ({ name: nameOf(call), call }))
const WITH_TOKEN = ROWS.filter(({ call }) => call.token !== null)

/** A token as the control plane signs it for this purpose. */
const tokenFor = (purpose: TokenPurpose, change: Record<string, unknown> = {}): Promise<string> =>
  agent.controlPlane.token(
    {
      purpose,
      permissions: purpose === 'download' || purpose === 'archive' ? undefined : PERMISSIONS,
      ...(purpose === 'download' ? { path: 'a.txt' } : {}),
      ...change,
    },
    { kid: 'test', ...(purpose === 'console' ? {} : { typ: `${purpose}+jwt` }) },
  )

/** The headers that each kind of call reads; nothing of them changes something that another row needs. */
const HEADERS: Partial<Readonly<Record<AgentCall['serves'], Record<string, string>>>> = {
  uploads: {
    'tus-resumable': '1.0.0',
    'upload-length': '1',
    'upload-metadata': `path ${Buffer.from('new.txt').toString('base64')},replaces ${Buffer.from('any').toString('base64')}`,
  },
  upload: { 'tus-resumable': '1.0.0' },
}

interface Way {
  readonly token?: string
  /** `null` for a program, which has no origin. */
  readonly origin?: string | null
}

/** The request of a row, its token where the row says. */
const ask = async (call: AgentCall, { token, origin = SITE_ORIGIN }: Way): Promise<AgentAnswer> => {
  const query = new URLSearchParams({ path: 'a.txt', ...(call.token?.in === 'query' && token ? { token } : {}) })
  const target = `${call.path.replace('{id}', SERVER_ID).replace('{upload}', UPLOAD)}?${query.toString()}`
  const headers = {
    ...(origin === null ? {} : { origin }),
    ...(token !== undefined && call.token?.in !== 'query' ? { authorization: `Bearer ${token}` } : {}),
  }
  if (call.serves === 'socket') return handshake(target, headers)
  const body = { json: '{}', stream: 'x', none: undefined }[call.limits.body]
  return agent.ask(target, {
    method: call.method,
    token: null,
    headers: { ...headers, origin: origin ?? '', ...HEADERS[call.serves] },
    ...(body === undefined ? {} : { body }),
  })
}

const handshake = (path: string, headers: Record<string, string>): Promise<AgentAnswer> =>
  new Promise((resolve, reject) => {
    const upgrade = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': KEY,
      'sec-websocket-protocol': 'bakter',
    }
    const options = { host: '127.0.0.1', port: agent.port, path, agent: false, headers: { ...upgrade, ...headers } }
    const answer = (status: number | undefined): void =>
      resolve({ status: status ?? 0, headers: {}, bytes: Buffer.alloc(0), json: undefined })
    httpRequest(options)
      .once('error', reject)
      .once('upgrade', ({ statusCode }, socket) => {
        socket.destroy()
        answer(statusCode)
      })
      .once('response', (response) => {
        response.resume()
        answer(response.statusCode)
      })
      .end()
  })

const isReadable = ({ headers }: AgentAnswer): boolean => headers['access-control-allow-origin'] !== undefined

describe('each call of the table of a node', () => {
  it.each(WITH_TOKEN)('$name answers the holder of its token with what its row names', async ({ call }) => {
    agent.put('a.txt')
    if (call.token === null) throw new Error('It needs a token.')
    const answer = await ask(call, { token: await tokenFor(call.token.purpose) })
    expect([401, 403, 405, 500]).not.toContain(answer.status)
    const code = refusalIn(answer)
    if (code !== undefined) expect(call.errors).toContain(code)
    if (call.serves !== 'socket') expect(isReadable(answer)).toBe(true)
  })

  it.each(WITH_TOKEN)('$name without a token', async ({ call }) => {
    // A page of the site may open a socket before it proves itself, as those of the release before do; a program may not.
    const isSocket = call.serves === 'socket'
    const answer = await ask(call, isSocket ? { origin: null } : {})
    expect([answer.status, refusalIn(answer)]).toEqual(
      isSocket ? [403, undefined] : [401, call.method === 'HEAD' ? undefined : 'INVALID_TOKEN'],
    )
  })

  it.each(WITH_TOKEN)('$name with the token of each other purpose', async ({ call }) => {
    for (const purpose of TOKEN_PURPOSES.filter((each) => each !== call.token?.purpose)) {
      const { status } = await ask(call, { token: await tokenFor(purpose) })
      expect([purpose, status]).toEqual([purpose, 401])
    }
  })

  it.each(WITH_TOKEN)("$name with another server's token, of another node, or too old", async ({ call }) => {
    const purpose = call.token?.purpose ?? 'files'
    const seconds = Math.floor(Date.now() / 1_000)
    for (const change of [
      { server: OTHER_SERVER },
      { aud: OTHER_SERVER },
      { iat: seconds - 7_200, exp: seconds - 3_600 },
      { purpose: 'anything' },
    ]) {
      const { status } = await ask(call, { token: await tokenFor(purpose, change) })
      expect([change, status]).toEqual([change, 401])
    }
  })

  const asked = ROWS.filter(
    ({ call }) => Object.keys(call.permissions).length > 0 && call.token?.purpose !== 'download',
  )
  it.each(asked)('$name without its permission, with every other one', async ({ call }) => {
    const { always, creates, replaces } = call.permissions
    // In the body, and asked for there: integration/agents/files-taken-names and files-extracting.
    const needed = always === undefined ? [creates, replaces] : [always]
    for (const missing of needed) {
      const permissions = PERMISSIONS.filter((each) => each !== missing)
      const answer = await ask(call, { token: await tokenFor(call.token?.purpose ?? 'files', { permissions }) })
      const named = call.method === 'HEAD' ? undefined : { code: 'FORBIDDEN', permission: missing }
      expect([answer.status, (answer.json as { error?: object } | undefined)?.error]).toEqual([
        403,
        named && expect.objectContaining(named),
      ])
    }
  })

  it.each(ROWS)('$name from a page of another origin', async ({ call }) => {
    const token = call.token === null ? {} : { token: await tokenFor(call.token.purpose, { jti: nextId() }) }
    const answer = await ask(call, { ...token, origin: FOREIGN })
    const cors = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-allow'))
    expect([answer.status === 403, cors]).toEqual([call.origins === 'site', []])
    const before = await agent.ask(call.path.replace('{id}', SERVER_ID).replace('{upload}', UPLOAD), {
      method: 'OPTIONS',
      token: null,
      headers: { origin: FOREIGN, 'access-control-request-method': call.method },
    })
    expect([before.status, isReadable(before)]).toEqual([403, false])
  })

  it.each(ROWS)('$name is announced to pages of the site, without credentials', async ({ call }) => {
    const { status, headers } = await agent.ask(call.path.replace('{id}', SERVER_ID).replace('{upload}', UPLOAD), {
      method: 'OPTIONS',
      token: null,
      headers: { 'access-control-request-method': call.method },
    })
    expect(status).toBe(204)
    expect(String(headers['access-control-allow-methods']).split(', ')).toContain(call.method)
    expect(String(headers['access-control-allow-headers']).split(', ')).toEqual(AGENT_CORS.requestHeaders)
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
  })
})

describe('outside of the table', () => {
  const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'] as const

  it('no path answers another method, whoever asks', async () => {
    const token = await agent.controlPlane.filesToken()
    for (const path of new Set(AGENT_HTTP.map((call) => call.path))) {
      const known = AGENT_HTTP.filter((call) => call.path === path && call.serves !== 'socket').map(
        ({ method }) => method,
      )
      for (const method of METHODS.filter((each) => !(known as string[]).includes(each))) {
        const answer = await agent.ask(path.replace('{id}', SERVER_ID).replace('{upload}', UPLOAD), { method, token })
        const isSocket = path === AGENT_PATHS.socket
        expect([path, method, answer.status, answer.headers['allow']]).toEqual([
          path,
          method,
          isSocket ? 404 : 405,
          isSocket ? undefined : known.join(', '),
        ])
      }
    }
  })

  it('no other path answers, by any method', async () => {
    const token = await agent.controlPlane.filesToken()
    for (const path of [
      '/',
      '/ping/x',
      '/metrics',
      '/health/ready',
      `/servers/${SERVER_ID}`,
      `/servers/${SERVER_ID}/files`,
    ]) {
      for (const method of METHODS) {
        const { status } = await agent.ask(path, { method, token })
        expect([path, method, status]).toEqual([path, method, 404])
      }
    }
  })
})
