import { missingTools } from '../../scripts/suites/test-tools.mjs'
import { openBeside, startAgentOnDocker } from '../support/agent-on-docker.ts'
import { startAgent, type AgentUnderTest } from '../support/agent-process.ts'
import type { ControlPlaneStandIn } from '../support/control-plane-stand-in.ts'
import { startTestDockerDaemon } from '../support/docker-daemon.ts'
import { loadTestImage } from '../support/docker-image.ts'

/** Programs without which nothing runs in containers. */
export const DOCKER_TOOLS = ['dockerd', 'iptables', 'ip', 'busybox']

/** Where servers run while they are measured. */
export interface BenchPlace {
  /** Address at which the agent listens. */
  readonly host: string
  /** Template's image, null for a runtime without images. */
  readonly image: string | null
  /** Opens the stand-in and starts an agent that is linked to it. */
  start(options: {
    readonly bundle: string
    readonly data: string
    readonly controlPlane: ControlPlaneStandIn
  }): Promise<AgentUnderTest>
  close(): Promise<void>
}

/** A runtime that the agent is measured with. */
export interface BenchRuntime {
  readonly name: 'process' | 'docker'
  open(): Promise<BenchPlace>
}

const processRuntime: BenchRuntime = {
  name: 'process',
  open: () =>
    Promise.resolve({
      host: '127.0.0.1',
      image: null,
      start: async ({ controlPlane, ...options }) => {
        const controlPlaneUrl = await controlPlane.open()
        const env = { AGENT_STOP_SERVERS_ON_EXIT: '1', AGENT_RUNTIME: 'process' }
        const agent = await startAgent({ ...options, controlPlaneUrl, env })
        await agent.ready()
        return agent
      },
      close: () => Promise.resolve(),
    }),
}

const dockerRuntime: BenchRuntime = {
  name: 'docker',
  open: async () => {
    const daemon = await startTestDockerDaemon({ liveRestore: true })
    const { name } = await loadTestImage(daemon.docker)
    return {
      host: daemon.namespace.address,
      image: `~${name}`,
      start: async (options) => {
        const controlPlaneUrl = await openBeside(daemon, options.controlPlane)
        return startAgentOnDocker({ ...options, daemon, controlPlaneUrl, env: { AGENT_STOP_SERVERS_ON_EXIT: '1' } })
      },
      close: () => daemon.remove(),
    }
  },
}

/**
 * The runtimes of this machine: processes, and containers of a dockerd of the benchmark's own. `missing` says in a sentence
 * why there are no containers.
 */
export function benchRuntimes(): { readonly runtimes: readonly BenchRuntime[]; readonly missing: string | undefined } {
  const tools = missingTools(DOCKER_TOOLS)
  if (process.getuid?.() !== 0) return { runtimes: [processRuntime], missing: 'Docker is left out: it needs root.' }
  if (tools.length > 0) {
    return { runtimes: [processRuntime], missing: `Docker is left out: this machine lacks ${tools.join(', ')}.` }
  }
  return { runtimes: [processRuntime, dockerRuntime], missing: undefined }
}
