import { rmSync } from 'node:fs'

import { startDemo, type Demo } from './demo.ts'
import { startTestDockerDaemon, type TestDockerDaemon } from './docker-daemon.ts'
import { loadTestImage } from './docker-image.ts'
import { startNpmMirror } from './npm-mirror.ts'

export interface DockerDemo {
  readonly daemon: TestDockerDaemon
  readonly demo: Demo
  /** Name and id of the image that is on the node, and in no registry. */
  readonly image: { readonly name: string; readonly id: string }
  stop(): Promise<void>
}

/**
 * `npm start` beside a Docker daemon of the test's own, both in a network namespace without a way out. Browser and player
 * are outside: they come in by the node's address, as everybody does. The node reaches npm through a mirror;
 * servers reach the node's npm cache and nothing else.
 */
export async function startDockerDemo(dataDir: string): Promise<DockerDemo> {
  rmSync(dataDir, { recursive: true, force: true })
  const daemon = await startTestDockerDaemon({ liveRestore: true })
  const { address, outsideAddress, enter } = daemon.namespace
  const closers: (() => Promise<void> | void)[] = [() => daemon.remove()]
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close()
  }
  try {
    const image = await loadTestImage(daemon.docker)
    const mirror = await startNpmMirror(outsideAddress)
    closers.push(() => mirror.close())
    const demo = await startDemo({
      dataDir,
      enter,
      env: {
        HOST: address,
        AGENT_RUNTIME: 'docker',
        AGENT_DOCKER_SOCKET: daemon.socketPath,
        AGENT_NPM_REGISTRY: mirror.url,
      },
    })
    closers.push(() => demo.stop())
    return { daemon, demo, image, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
