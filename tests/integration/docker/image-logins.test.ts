import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { systemClock } from '#platform/clock.ts'
import { readProtectedFile } from '../../../agents/platform/protected-file.ts'
import { systemTimers } from '../../../agents/platform/timers.ts'
import { DockerEngine, ENGINE_DEFAULTS } from '../../../agents/runtime/docker/engine.ts'
import { DockerImages } from '../../../agents/runtime/docker/images.ts'
import { RegistryLogins } from '../../../agents/runtime/docker/registry-logins.ts'
import { startTestRegistry, type TestRegistry } from '../../emulators/registry/registry.ts'
import { makeRegistryImage } from '../../emulators/registry/test-image.ts'
import { buildServerSpec, nextId, SERVER_ID } from '../../factories/server-spec.ts'
import { openBeside, startAgentOnDocker } from '../../support/agent-on-docker.ts'
import { bundleAgent, startAgent } from '../../support/agent-process.ts'
import { ControlPlaneStandIn } from '../../support/control-plane-stand-in.ts'
import { startTestDockerDaemon, type TestDockerDaemon } from '../../support/docker-daemon.ts'
import { loadTestImage } from '../../support/docker-image.ts'
import { freePort } from '../../support/free-port.ts'
import { waitFor } from '../../support/wait-for.ts'

const USERNAME = 'bakter-node'
const SECRET = 'very-secret-word'
const OTHER_SECRET = 'another-secret-word'
const SECRETS = [SECRET, OTHER_SECRET].flatMap((secret) => [
  secret,
  Buffer.from(`${USERNAME}:${secret}`).toString('base64'),
])

let daemon: TestDockerDaemon
let folder: string
let file: string
beforeAll(async () => {
  daemon = await startTestDockerDaemon({ args: ['--insecure-registry=198.18.0.0/15', '--max-download-attempts=1'] })
  folder = mkdtempSync(path.join(tmpdir(), 'bakter-logins-'))
  file = path.join(folder, 'logins.json')
})
afterAll(async () => {
  await daemon.remove()
  rmSync(folder, { recursive: true, force: true })
})

const writeLogins = (host: string, password = SECRET): void => {
  const auth = Buffer.from(`${USERNAME}:${password}`).toString('base64')
  writeFileSync(`${file}.new`, JSON.stringify({ auths: { [host]: { auth } } }), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
const expectNoSecret = (text: string): void => {
  for (const secret of SECRETS) expect(text).not.toContain(secret)
  expect(text).not.toContain('token-of-the-service')
}

describe('a registry that requires a login', () => {
  let registry: TestRegistry
  let other: TestRegistry
  let images: DockerImages
  let lines: string[]
  let logged: string
  let number = 0

  beforeAll(async () => {
    registry = await startTestRegistry(daemon.namespace.outsideAddress)
    other = await startTestRegistry(daemon.namespace.outsideAddress)
    const engine = new DockerEngine({ ...ENGINE_DEFAULTS, socketPath: daemon.socketPath }, systemTimers)
    const logins = new RegistryLogins(file, { read: readProtectedFile, uid: process.getuid?.() ?? 0 })
    const log = {
      error: (fields: object, message: string) => void (logged += `${JSON.stringify(fields)} ${message}\n`),
    }
    images = new DockerImages(
      { engine, clock: systemClock, timers: systemTimers, random: () => 0, logins, log },
      { attempts: 2, stallTimeoutMs: 30_000, internalRegistries: [registry.host, other.host] },
    )
  })
  beforeEach(() => {
    lines = []
    logged = ''
    writeLogins(registry.host)
  })
  afterEach(() => {
    registry.heal()
    other.heal()
    registry.authorizations.length = 0
    registry.requests.length = 0
    other.authorizations.length = 0
    expectNoSecret(lines.join('\n') + logged)
  })
  afterAll(async () => {
    await registry.close()
    await other.close()
  })

  const newImage = (at = registry): string => {
    number += 1
    return at.add(`private/game-${number}`, makeRegistryImage([20_000]))
  }
  const prepare = (reference: string) => images.prepare({ reference, listed: [reference] }, (line) => lines.push(line))
  const lock = (scheme: 'Basic' | 'Bearer', change: { password?: string; tokensAt?: string } = {}): void =>
    registry.lock({ scheme, username: USERNAME, password: SECRET, ...change })
  const refusal = async (reference: string): Promise<string> => {
    const error: unknown = await prepare(reference).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'IMAGE_UNAVAILABLE', retryable: false })
    const { message } = error as Error
    expectNoSecret(message)
    expect(logged).toContain('an image could not be pulled')
    return message
  }
  const again = (): number => lines.filter((line) => line.startsWith('Image: trying again')).length

  test.each(['Basic', 'Bearer'] as const)('serves its images for the login of the file, by %s', async (scheme) => {
    lock(scheme)
    expect(await prepare(newImage())).toMatchObject({ id: expect.stringMatching(/^sha256:/) as string })
    expect(registry.authorizations.some((sent) => sent.startsWith('Basic '))).toBe(true)
  })

  test('gets a login that was changed in the file, without a restart', async () => {
    lock('Bearer', { password: OTHER_SECRET })
    expect(await refusal(newImage())).toContain(`The registry ${registry.host} refused this node's login`)
    writeLogins(registry.host, OTHER_SECRET)
    await prepare(newImage())
  })

  test.each(['Basic', 'Bearer'] as const)(
    'that refuses it by %s is reported in a sentence, and asked once',
    async (scheme) => {
      lock(scheme, { password: OTHER_SECRET })
      expect(await refusal(newImage())).toContain(`The registry ${registry.host} refused this node's login`)
      expect(lines.at(-1)).toContain(`The registry ${registry.host} refused this node's login`)
      expect(again()).toBe(0)
    },
  )

  test('that says that the token has expired is reported, and asked once', async () => {
    lock('Bearer')
    registry.fail('manifest', 403)
    expect(await refusal(newImage())).toContain(`The registry ${registry.host} refused this node's login`)
    expect(again()).toBe(0)
  })

  test('whose token service fails once serves the image in the end', async () => {
    lock('Bearer')
    registry.fail('token', 500, 1)
    await prepare(newImage())
    expect(again()).toBe(1)
  })

  test('whose token service is down is reported in a sentence, and asked again', async () => {
    lock('Bearer', { tokensAt: `http://${daemon.namespace.outsideAddress}:1` })
    expect(await refusal(newImage())).toContain(`The registry ${registry.host} could not check this node's login`)
    expect(again()).toBe(1)
  })

  test('gets no login that the file has for another one, also at the same address', async () => {
    other.lock({ scheme: 'Basic', username: USERNAME, password: SECRET })
    expect(await refusal(newImage(other))).toContain(
      `The registry ${other.host} wants a login, and this node has none for it`,
    )
    expect(other.authorizations.filter((sent) => sent !== '')).toEqual([])
  })

  test('is not asked while the file is unusable, and the sentence names the reason', async () => {
    lock('Basic')
    chmodSync(file, 0o644)
    expect(await refusal(newImage())).toContain('can be read by others than its owner: set its mode to 600.')
    expect(registry.requests.filter((request) => request.startsWith('manifest'))).toEqual([])
    chmodSync(file, 0o600)
    await prepare(newImage())
  })
})

describe('an agent with a file of logins', () => {
  let bundled: Awaited<ReturnType<typeof bundleAgent>>
  beforeAll(async () => {
    bundled = await bundleAgent()
  })
  afterAll(() => bundled.remove())

  test('does not start with one that others can read, and names the reason', async () => {
    writeLogins('registry.example.com')
    chmodSync(file, 0o644)
    const agent = await startAgent({
      bundle: bundled.bundle,
      data: path.join(folder, 'refused'),
      controlPlaneUrl: 'http://127.0.0.1:1',
      enter: daemon.namespace.enter,
      env: { AGENT_RUNTIME: 'docker', AGENT_DOCKER_SOCKET: daemon.socketPath, AGENT_REGISTRY_AUTH: file },
    })
    expect((await agent.process.ended).code).toBe(1)
    expect(agent.process.output()).toContain('can be read by others than its owner')
    expectNoSecret(agent.process.output())
  })

  test('passes none of it to containers and logs none of it', async () => {
    writeLogins('registry.example.com')
    const { name } = await loadTestImage(daemon.docker)
    const controlPlane = new ControlPlaneStandIn()
    const controlPlaneUrl = await openBeside(daemon, controlPlane)
    const place = { daemon, bundle: bundled.bundle, data: path.join(folder, 'agent'), controlPlane, controlPlaneUrl }
    const env = { AGENT_REGISTRY_AUTH: file, AGENT_STOP_SERVERS_ON_EXIT: '1', LOG_LEVEL: 'trace' }
    const agent = await startAgentOnDocker({ ...place, env })
    const port = await freePort()
    const spec = buildServerSpec({
      image: `~${name}`,
      allocations: [{ ip: daemon.namespace.address, port, primary: true }],
    })
    const fields = { serverId: SERVER_ID, generation: 1, requestId: 'r', spec }
    controlPlane.command({ ...fields, id: nextId(), kind: 'install' })
    await waitFor('the installation', () => controlPlane.lastState() === 'offline')
    controlPlane.command({ ...fields, id: nextId(), kind: 'power', action: 'start' })
    await waitFor('the server', () => controlPlane.lastState() === 'running')
    const seen: unknown[] = []
    for (const { Id } of await daemon.docker.listContainers({ all: true })) {
      seen.push(await daemon.docker.getContainer(Id).inspect())
    }
    expect(seen).toHaveLength(1)
    for (const text of [JSON.stringify(seen), JSON.stringify(controlPlane.list()), agent.process.output()]) {
      expectNoSecret(text)
      expect(text).not.toContain(file)
    }
    await agent.process.stop(20_000)
    await controlPlane.close()
  })
})
