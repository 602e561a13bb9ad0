import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { request as httpsRequest } from 'node:https'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { connect as connectTls } from 'node:tls'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'

import { AGENT_PATHS } from '../../../src/contracts/panel/agent-paths.ts'
import { buildServerSpec, nextId, SERVER_ID } from '../../factories/server-spec.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { bundleAgent, startAgent, type AgentUnderTest } from '../../support/agent-process.ts'
import { ControlPlaneStandIn, SITE_ORIGIN } from '../../support/control-plane-stand-in.ts'
import { PanelClient } from '../../support/panel-client.ts'
import { writeCertificate } from '../../support/test-certificate.ts'
import { waitFor } from '../../support/wait-for.ts'

let bundled: Awaited<ReturnType<typeof bundleAgent>>
const scratch = scratchFolder()
const controlPlane = new ControlPlaneStandIn()
let agent: AgentUnderTest
const spec = buildServerSpec({ environment: { GAME_PORT: '0' } })

beforeAll(async () => {
  chmodSync(scratch.path, 0o755)
  bundled = await bundleAgent()
  const { certificate, key } = writeCertificate(scratch.path, { name: 'first', days: 5 })
  agent = await startAgent({
    bundle: bundled.bundle,
    data: path.join(scratch.path, 'agent'),
    controlPlaneUrl: await controlPlane.open(),
    env: { HOST: '127.0.0.1,::1', AGENT_TLS_CERT: certificate, AGENT_TLS_KEY: key },
  })
  await agent.ready()
})
afterAll(async () => {
  await agent.process.stop(20_000)
  await controlPlane.close()
  bundled.remove()
  scratch.remove()
})

const nameOf = (host: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connectTls({ host, port: agent.port, rejectUnauthorized: false }, () => {
      const { CN } = socket.getPeerCertificate().subject
      resolve(String(CN))
      socket.destroy()
    })
    socket.once('error', reject)
  })

type Asked = { method: string; path: string; headers: Record<string, string> }

const ask = ({ method, path: asked, headers }: Asked) =>
  new Promise<{ status: number; headers: Record<string, string | string[] | undefined> }>((resolve, reject) => {
    const options = { host: '127.0.0.1', port: agent.port, method, headers, rejectUnauthorized: false }
    httpsRequest({ ...options, path: asked }, (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0, headers: response.headers })
    })
      .once('error', reject)
      .end()
  })

const preflight = (headers: Record<string, string>) =>
  ask({ method: 'OPTIONS', path: `/servers/${SERVER_ID}/files`, headers })

const alarms = () => controlPlane.list().flatMap((event) => (event.kind === 'node.alarm' ? [event.alarm] : []))

describe('the listeners of a node', () => {
  it('warn 14 days before the certificate expires', async () => {
    await waitFor('the alarm', () => alarms().includes('certificate-ends'))
    await expect.poll(() => agent.process.output()).toContain('the certificate of this node ends soon')
  })

  it('speak TLS on IPv4 and IPv6, and nothing else', async () => {
    expect(await nameOf('127.0.0.1')).toBe('first')
    expect(await nameOf('::1')).toBe('first')
    await expect(fetch(`http://127.0.0.1:${agent.port}/`)).rejects.toThrow('fetch failed')
  })

  it('answer a preflight of the site for ten minutes, without credentials', async () => {
    const asked = { origin: SITE_ORIGIN, 'access-control-request-method': 'PUT' }
    const { status, headers } = await preflight(asked)
    expect(status).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': SITE_ORIGIN,
      'access-control-max-age': '600',
      vary: 'Origin',
    })
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
    expect(headers).not.toHaveProperty('access-control-allow-private-network')
    const local = await preflight({ ...asked, 'access-control-request-private-network': 'true' })
    expect(local.headers['access-control-allow-private-network']).toBe('true')
  })

  it.each(['http://evil.test', `${SITE_ORIGIN}.evil.test`, 'null'])('refuse the origin %s', async (origin) => {
    const { status, headers } = await preflight({ origin, 'access-control-request-private-network': 'true' })
    expect(status).toBe(403)
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  it('answer a ping of the site at once without a body, and one of another origin with nothing to read', async () => {
    const ping = (origin: string) => ask({ method: 'GET', path: AGENT_PATHS.ping, headers: { origin } })
    const { status, headers } = await ping(SITE_ORIGIN)
    expect(status).toBe(204)
    expect(headers).toMatchObject({ 'access-control-allow-origin': SITE_ORIGIN, 'cache-control': 'no-store' })
    const foreign = await ping('http://evil.test')
    expect(foreign.status).toBe(403)
    expect(foreign.headers).not.toHaveProperty('access-control-allow-origin')
  })

  it('load a renewed certificate without a restart, keep their sockets, and refuse a mismatched pair', async () => {
    const socket = new WebSocket(`wss://127.0.0.1:${agent.port}/servers/${SERVER_ID}/ws`, {
      origin: SITE_ORIGIN,
      rejectUnauthorized: false,
    })
    // The server is not known here: the handshake alone shows that the door answers over TLS.
    const status = await new Promise((resolve) =>
      socket.on('error', () => {}).once('unexpected-response', (_request, response) => resolve(response.statusCode)),
    )
    expect(status).toBe(404)
    // A socket that is let in: the node ends one that says nothing sooner than a busy machine sees a new certificate.
    controlPlane.command({ serverId: SERVER_ID, generation: 1, requestId: 'r', id: nextId(), kind: 'install', spec })
    await waitFor('the installation', () => controlPlane.lastState() === 'offline')
    const ca = readFileSync(path.join(scratch.path, 'node.crt'), 'utf8')
    const held = new PanelClient(agent.port, { tls: { ca, servername: 'localhost' } })
    await held.authenticate(await controlPlane.token())
    writeCertificate(scratch.path, { name: 'second', days: 90 })
    await waitFor('the new certificate', async () => (await nameOf('127.0.0.1')) === 'second')
    expect(await nameOf('::1')).toBe('second')
    held.send('send history', [{ before: 2, limit: 1 }])
    await waitFor('an answer on the old socket', () => held.has('console history'))
    expect(held.closeCode).toBeUndefined()
    held.close()
    writeFileSync(path.join(scratch.path, 'node.key'), 'no key')
    await waitFor('the alarm', () => alarms().includes('certificate-unreadable'))
    expect(await nameOf('127.0.0.1')).toBe('second')
  })

  it('drop connections that never finish their handshake, before and within TLS [case 135]', async () => {
    const half: Socket[] = []
    for (let count = 0; count < 20; count += 1) {
      const socket = connect(agent.port, '127.0.0.1')
      socket.on('error', () => {}).resume()
      half.push(socket)
    }
    const greeted = connectTls({ host: '127.0.0.1', port: agent.port, rejectUnauthorized: false })
    greeted.on('error', () => {}).resume()
    greeted.once('secureConnect', () => greeted.write('GET /servers/x HTTP/1.1\r\nUpgr'))
    await waitFor('the half-open connections to be reaped', () => [...half, greeted].every((socket) => socket.closed))
    expect(await nameOf('127.0.0.1')).toBe('second')
  })
})
