import { X509Certificate } from 'node:crypto'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { connect as connectTls } from 'node:tls'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { AcmeDirectory } from '../../emulators/acme/directory.ts'
import { buildServerSpec, nextId, SERVER_ID } from '../../factories/server-spec.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { bundleAgent, startAgent, type AgentUnderTest } from '../../support/agent-process.ts'
import { ControlPlaneStandIn } from '../../support/control-plane-stand-in.ts'
import { freePort } from '../../support/free-port.ts'
import { PanelClient } from '../../support/panel-client.ts'
import { writeCertificate } from '../../support/test-certificate.ts'
import { waitFor } from '../../support/wait-for.ts'

// A real agent, a directory of an authority of its own over https, and a name that is checked on this machine.
const NAME = 'node1.bakter.test'
const EXTERNAL = { keyId: 'customer-7', hmacKey: Buffer.alloc(32, 7).toString('base64url') }
const DAY_MS = 24 * 3_600_000
const spec = buildServerSpec({ environment: { GAME_PORT: '0' } })
const fields = { serverId: SERVER_ID, generation: 1, requestId: 'request' }

let bundled: Awaited<ReturnType<typeof bundleAgent>>
const scratch = scratchFolder()
const data = path.join(scratch.path, 'agent')
const controlPlane = new ControlPlaneStandIn()
let controlPlaneUrl: string
let directory: AcmeDirectory
let directoryUrl: string
let bundleOfAuthorities: string
let challengePort: number
let agent: AgentUnderTest
let output = ''

const start = async (env: Record<string, string> = {}): Promise<void> => {
  agent = await startAgent({
    bundle: bundled.bundle,
    data,
    controlPlaneUrl,
    env: {
      HOST: '127.0.0.1,::1',
      AGENT_STOP_SERVERS_ON_EXIT: '1',
      AGENT_CA_BUNDLE: bundleOfAuthorities,
      AGENT_ACME_DIRECTORY: directoryUrl,
      AGENT_ACME_TERMS: 'accepted',
      AGENT_TLS_NAME: NAME,
      AGENT_ACME_EMAIL: 'host@bakter.test',
      AGENT_ACME_HTTP_PORT: String(challengePort),
      AGENT_ACME_EAB_KID: EXTERNAL.keyId,
      AGENT_ACME_EAB_HMAC: EXTERNAL.hmacKey,
      ...env,
    },
  })
}

const stop = async (): Promise<void> => {
  await agent.process.stop(20_000)
  output += agent.process.output()
}

beforeAll(async () => {
  chmodSync(scratch.path, 0o755)
  bundled = await bundleAgent()
  controlPlaneUrl = await controlPlane.open()
  const files = writeCertificate(scratch.path, { name: 'authority', days: 5 })
  const tls = { cert: readFileSync(files.certificate, 'utf8'), key: readFileSync(files.key, 'utf8') }
  bundleOfAuthorities = files.certificate
  challengePort = await freePort()
  directory = new AcmeDirectory({ challengePort, tls, externalAccount: EXTERNAL })
  directoryUrl = await directory.open()
  // The first order goes on when the test has seen what stands before it.
  Object.assign(directory.faults, { processingPolls: Number.POSITIVE_INFINITY, pollRetryAfter: '1' })
  directory.life = () => ({ startsAtMs: Date.now() - 140_000, endsAtMs: Date.now() + 70_000 })
  await start()
})
afterAll(async () => {
  await agent.process.stop(20_000)
  await controlPlane.close()
  await directory.close()
  bundled.remove()
  scratch.remove()
})

/** Serial of the certificate that the node shows to who trusts the authority and knows the name. Rejects otherwise. */
const serial = (host = '127.0.0.1'): Promise<string> =>
  new Promise((resolve, reject) => {
    const ca = directory.authority.certificate
    const socket = connectTls({ host, port: agent.port, servername: NAME, ca }, () => {
      resolve(socket.getPeerX509Certificate()?.serialNumber ?? '')
      socket.destroy()
    })
    socket.once('error', reject)
  })

const health = async (): Promise<{ status: number; missing: string[]; notes?: string[] }> => {
  const answer = await fetch(`http://127.0.0.1:${agent.healthPort}/health/ready`)
  return { ...((await answer.json()) as { missing: string[] }), status: answer.status }
}

const fileOf = (name: string): string => path.join(data, 'acme', name)
const alarms = () => controlPlane.list().flatMap((event) => (event.kind === 'node.alarm' ? [event.alarm] : []))

describe('an agent that gets its certificate by ACME', () => {
  it('names what is missing before the first certificate, and never serves without TLS', async () => {
    const before = await waitFor('the health', health)
    expect(before.status).toBe(503)
    expect(before.missing).toContain('certificate')
    expect(before.notes).toEqual([expect.stringContaining(`This node has no certificate yet: it asks `)])
    await waitFor('the listener', async () => {
      const error: unknown = await serial().catch((reason: unknown) => reason)
      return error instanceof Error && !error.message.includes('ECONNREFUSED')
    })
    await expect(serial()).rejects.toThrow(/alert handshake failure|handshake|SSL|TLS/)
    await expect(fetch(`http://127.0.0.1:${agent.port}/`)).rejects.toThrow('fetch failed')
  })

  it('obtains a certificate for its name and serves it on every address', async () => {
    directory.heal()
    await agent.ready()
    expect(await serial('127.0.0.1')).toBe(directory.newestSerial())
    expect(await serial('::1')).toBe(directory.newestSerial())
    expect(directory.accounts).toBe(1)
    for (const name of ['account.json', 'certificate.json']) {
      expect(statSync(fileOf(name)).mode & 0o777).toBe(0o600)
    }
    await expect(fetch(`http://127.0.0.1:${challengePort}/`)).rejects.toThrow('fetch failed')
  })

  it('renews while a console is open, keeps the console, and warns of a certificate that ends within 14 days', async () => {
    const first = await serial()
    directory.life = () => ({ startsAtMs: Date.now() - 80 * DAY_MS, endsAtMs: Date.now() + 10 * DAY_MS })
    controlPlane.command({ ...fields, id: nextId(), kind: 'install', spec })
    await waitFor('the installation', () => controlPlane.lastState() === 'offline')
    controlPlane.command({ ...fields, id: nextId(), kind: 'power', action: 'start', spec })
    await waitFor('the server to run', () => controlPlane.lastState() === 'running')
    const client = new PanelClient(agent.port, { tls: { ca: directory.authority.certificate, servername: NAME } })
    await client.authenticate(await controlPlane.token())
    expect(await serial()).toBe(first)
    expect(alarms()).not.toContain('certificate-ends')
    await waitFor('the renewal', async () => (await serial()) !== first, 90_000)
    expect(directory.orders).toHaveLength(2)
    expect(await serial('::1')).toBe(directory.newestSerial())
    client.send('send command', ['say after the renewal'])
    await waitFor('a line after the renewal', () => client.lines.some(({ text }) => text.includes('after the renewal')))
    expect(client.closeCode).toBeUndefined()
    client.close()
    await waitFor('the alarm', () => alarms().includes('certificate-ends'))
    await agent.process.waitForOutput('the certificate of this node ends soon')
  }, 180_000)

  it('serves the same certificate after a restart and orders nothing', async () => {
    const before = await serial()
    await stop()
    await start()
    await agent.ready()
    expect(await serial()).toBe(before)
    expect(directory.orders).toHaveLength(2)
    expect(directory.accounts).toBe(1)
  })

  it('keeps the old certificate when the authority fails, and logs it', async () => {
    const before = await serial()
    await stop()
    const stored = JSON.parse(readFileSync(fileOf('certificate.json'), 'utf8')) as object
    // The directory changes to another authority: a new one is due at once.
    writeFileSync(fileOf('certificate.json'), JSON.stringify({ ...stored, directory: 'https://authority.test/' }))
    directory.faults.rateLimited = { route: 'order', times: 1, retryAfter: '86400' }
    await start()
    await agent.process.waitForOutput('There is no new certificate.')
    expect(agent.process.output()).toContain('rateLimited: Too many of them.')
    await agent.ready()
    expect(await serial()).toBe(before)
    const asked = directory.requests.length
    await stop()
    await start()
    await agent.ready()
    expect(await serial()).toBe(before)
    expect(directory.requests).toHaveLength(asked)
  })

  it('waits with its next order after it was killed during one, and logs it', async () => {
    await stop()
    for (const name of ['account.json', 'certificate.json', 'attempts.json'])
      writeFileSync(fileOf(name), '{"version":1')
    directory.life = undefined
    await start({ FAULT: 'acme.ordered:1:kill' })
    expect((await agent.process.ended).signal).toBe('SIGKILL')
    output += agent.process.output()
    const orders = directory.orders.length
    await start()
    const told = await waitFor('the health', health)
    expect(told.notes).toEqual([expect.stringContaining('The last attempt: It was interrupted.')])
    await waitFor('the agent to be connected', () => controlPlane.isConnected)
    expect(directory.orders).toHaveLength(orders)
  })

  it('regenerates damaged files, and logs no key', async () => {
    await stop()
    for (const name of ['account.json', 'certificate.json', 'attempts.json']) {
      writeFileSync(fileOf(name), '"-----BEGIN PRIVATE KEY-----c2VjcmV0LW9mLWFsbA')
    }
    await start()
    await agent.ready()
    expect(await serial()).toBe(directory.newestSerial())
    const { key: account } = JSON.parse(readFileSync(fileOf('account.json'), 'utf8')) as { key: string }
    const { key, cert } = JSON.parse(readFileSync(fileOf('certificate.json'), 'utf8')) as { key: string; cert: string }
    expect(new X509Certificate(cert).serialNumber).toBe(directory.newestSerial())
    await stop()
    expect(output).toContain('a file of ACME is damaged; it is made anew')
    const secrets = [...account.split('\n').slice(1, -2), ...key.split('\n').slice(1, -2), EXTERNAL.hmacKey]
    expect(secrets.length).toBeGreaterThan(5)
    for (const secret of [...secrets, 'c2VjcmV0LW9mLWFsbA']) expect(output).not.toContain(secret)
  })
})
