import { connect } from 'node:net'
import { existsSync } from 'node:fs'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { startTestDockerDaemon, type TestDockerDaemon } from '../../support/docker-daemon.ts'
import { IMAGE_GAME, loadTestImage } from '../../support/docker-image.ts'
import { processesNaming } from '../../support/process-tree.ts'
import { waitFor } from '../../support/wait-for.ts'

let daemon: TestDockerDaemon
let image: { name: string; id: string }

beforeAll(async () => {
  daemon = await startTestDockerDaemon({ liveRestore: true })
  image = await loadTestImage(daemon.docker)
})
afterAll(() => daemon.remove())

const greet = (host: string, port: number) =>
  new Promise<boolean>((done) => {
    const socket = connect(port, host, () => socket.write('Anna\nhello\n'))
    socket.once('data', () => {
      socket.destroy()
      done(true)
    })
    socket.once('error', () => done(false))
  })

test("the daemon runs the image's game, and its port is reachable from the test", async () => {
  await daemon.docker.createNetwork({ Name: 'game', Driver: 'bridge', IPAM: { Config: [{ Subnet: '10.77.0.0/29' }] } })
  const container = await daemon.docker.createContainer({
    Image: image.name,
    Cmd: [...IMAGE_GAME],
    Env: ['SERVER_IP=0.0.0.0', 'SERVER_PORT=25565'],
    ExposedPorts: { '25565/tcp': {} },
    HostConfig: {
      NetworkMode: 'game',
      ReadonlyRootfs: false,
      PortBindings: { '25565/tcp': [{ HostIp: '', HostPort: '25565' }] },
    },
  })
  await container.start()
  await waitFor('a player to be greeted', () => greet(daemon.namespace.address, 25_565))

  await daemon.kill()
  expect(await greet(daemon.namespace.address, 25_565)).toBe(true)
  await daemon.start()
  const { State } = await container.inspect()
  expect(State.Running).toBe(true)
})

test('a removed daemon leaves nothing', async () => {
  const other = await startTestDockerDaemon()
  await loadTestImage(other.docker)
  const container = await other.docker.createContainer({
    Image: image.name,
    Cmd: ['/bin/sleep', '600'],
    HostConfig: { NetworkMode: 'none' },
  })
  await container.start()
  await other.remove()
  expect(processesNaming(other.socketPath.replace('/docker.sock', ''))).toEqual([])
  expect(existsSync(other.socketPath)).toBe(false)
  expect(existsSync(`/run/netns/${other.namespace.name}`)).toBe(false)
})
