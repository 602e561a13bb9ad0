import { startAgent, type AgentUnderTest } from './agent-process.ts'
import type { ControlPlaneStandIn } from './control-plane-stand-in.ts'
import type { TestDockerDaemon } from './docker-daemon.ts'
import { freePort } from './free-port.ts'
import { ownContainerUsers } from './own-users.ts'
import { waitFor } from './wait-for.ts'

/** Opens the stand-in at an address that an agent in the daemon's namespace can reach. Resolves with it. */
export const openBeside = async (daemon: TestDockerDaemon, controlPlane: ControlPlaneStandIn): Promise<string> => {
  const port = await freePort()
  await controlPlane.open(port, daemon.namespace.outsideAddress)
  return `http://${daemon.namespace.outsideAddress}:${port}`
}

export interface AgentPlace {
  readonly daemon: TestDockerDaemon
  readonly bundle: string
  readonly data: string
  readonly controlPlane: ControlPlaneStandIn
  readonly controlPlaneUrl: string
  readonly env?: Record<string, string>
}

/** Launches an agent beside its engine, in the namespace of the test's daemon, without waiting. */
export const launchAgentOnDocker = ({ daemon, bundle, data, controlPlaneUrl, env }: AgentPlace) =>
  startAgent({
    bundle,
    data,
    controlPlaneUrl,
    enter: daemon.namespace.enter,
    env: {
      AGENT_RUNTIME: 'docker',
      AGENT_DOCKER_SOCKET: daemon.socketPath,
      HOST: daemon.namespace.address,
      AGENT_UID_BASE: String(ownContainerUsers().agentUsers),
      ...env,
    },
  })

/**
 * Starts an agent beside its engine, with its sockets at the namespace's address. Resolves once it has connected to the
 * control plane.
 */
export const startAgentOnDocker = async (place: AgentPlace): Promise<AgentUnderTest> => {
  const { controlPlane } = place
  const hellos = controlPlane.hellos.length
  const agent = await launchAgentOnDocker(place)
  await waitFor('the agent to say hello', () => {
    agent.process.mustRun()
    return controlPlane.hellos.length > hellos && controlPlane.isConnected
  })
  return agent
}

/** Names of the server's running containers without installers, whether the agent knows them or not. */
export const runningContainers = async (daemon: TestDockerDaemon, serverId: string): Promise<string[]> => {
  const label = [`bakter.server=${serverId}`, 'bakter.kind=server']
  const found = await daemon.docker.listContainers({ filters: { label } })
  return found.map(({ Id }) => Id).sort()
}
