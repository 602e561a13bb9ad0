import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import type { AgentCommand } from '../../src/contracts/agent/session.ts'
import type { ServerSpec } from '../../src/contracts/agent/server-spec.ts'
import { buildServerSpec, nextId } from '../factories/server-spec.ts'
import { scratchFolder } from './agent-bundles.ts'
import { launchAgentOnDocker, openBeside, runningContainers, startAgentOnDocker } from './agent-on-docker.ts'
import { bundleAgent, type AgentUnderTest } from './agent-process.ts'
import { ControlPlaneStandIn } from './control-plane-stand-in.ts'
import { startTestDockerDaemon, type TestDockerDaemon } from './docker-daemon.ts'
import { loadTestImage } from './docker-image.ts'
import { joinGame, type GamePlayer } from './game-player.ts'
import { PanelClient } from './panel-client.ts'
import { expectInvariants } from './server-invariants.ts'
import { waitFor } from './wait-for.ts'

type Finished = Extract<ReturnType<ControlPlaneStandIn['list']>[number], { kind: 'command.finished' }>
type PowerAction = Extract<AgentCommand, { kind: 'power' }>['action']
const LETTERS = 'acdefghjkmnpqrtuvwxyz234'

/** One server of the node, with the test's commands for it. */
export interface NodeServer {
  readonly id: string
  readonly identifier: string
  readonly port: number
  spec: ServerSpec
  /** How often its program should have begun by now. */
  asked: number
  readonly commands: string[]
}

/**
 * A whole node: the agent as a process beside a dockerd of the test's own, and a control plane's stand-in that keeps what it
 * is told. `check` holds every server to S-1 to S-5.
 */
export class DockerNode {
  readonly daemon: TestDockerDaemon
  readonly controlPlane = new ControlPlaneStandIn()
  readonly image: string
  readonly servers: NodeServer[] = []
  readonly data: string
  agent: AgentUnderTest | undefined
  readonly #bundled: Awaited<ReturnType<typeof bundleAgent>>
  readonly #scratch: ReturnType<typeof scratchFolder>
  #url = ''

  private constructor(parts: {
    daemon: TestDockerDaemon
    image: string
    bundled: Awaited<ReturnType<typeof bundleAgent>>
    scratch: ReturnType<typeof scratchFolder>
    data: string | undefined
  }) {
    this.daemon = parts.daemon
    this.image = parts.image
    this.#bundled = parts.bundled
    this.#scratch = parts.scratch
    this.data = parts.data ?? path.join(parts.scratch.path, 'agent')
  }

  /** `data`: where the agent keeps its files, such as a small disk of the test's own. */
  static async open(options: { liveRestore: boolean; data?: string }): Promise<DockerNode> {
    const daemon = await startTestDockerDaemon({ liveRestore: options.liveRestore })
    const image = (await loadTestImage(daemon.docker)).name
    const parts = { daemon, image, bundled: await bundleAgent(), scratch: scratchFolder(), data: options.data }
    const node = new DockerNode(parts)
    node.#url = await openBeside(daemon, node.controlPlane)
    await node.startAgent()
    return node
  }

  get #place() {
    const { daemon, data, controlPlane } = this
    return { daemon, data, controlPlane, bundle: this.#bundled.bundle, controlPlaneUrl: this.#url }
  }

  async startAgent(env: Record<string, string> = {}): Promise<AgentUnderTest> {
    this.agent = await startAgentOnDocker({ ...this.#place, env })
    return this.agent
  }

  /** The message of an agent that does not start here. */
  async refusalOfAgent(): Promise<string> {
    const agent = await launchAgentOnDocker(this.#place)
    this.agent = agent
    const { code } = await agent.process.ended
    return `${code}: ${agent.process.output()}`
  }

  async killAgent(): Promise<void> {
    this.agent?.process.signal('SIGKILL')
    await this.agent?.process.ended
  }

  async close(): Promise<void> {
    if (this.agent?.process.isRunning()) await this.agent.process.stop(20_000)
    await this.controlPlane.close()
    await this.daemon.remove()
    this.#bundled.remove()
    this.#scratch.remove()
  }

  /** A server that is not installed yet. */
  add(change: Partial<ServerSpec> = {}): NodeServer {
    const index = this.servers.length
    const id = nextId()
    const identifier = `acdefgh${LETTERS[index] ?? 'a'}`
    const port = 25_600 + index
    const allocations = [{ ip: this.daemon.namespace.address, port, primary: true }]
    const environment = { GAME_START_DELAY_MS: '10' }
    const spec = buildServerSpec({ id, identifier, image: `~${this.image}`, allocations, environment, ...change })
    const server = { id, identifier, port, spec, asked: 0, commands: [] }
    this.servers.push(server)
    return server
  }

  /** Installs it, and starts it unless told otherwise. */
  async addInstalled(options: { start?: boolean } = {}): Promise<NodeServer> {
    const server = this.add()
    await this.expectOk(server, this.install(server))
    if (options.start !== false) await this.start(server)
    return server
  }

  /** Sends the command and resolves with its result. */
  async run(server: NodeServer, command: object): Promise<Finished> {
    const id = nextId()
    server.commands.push(id)
    const { generation } = server.spec
    const fields = { id, serverId: server.id, generation, requestId: 'r', spec: server.spec }
    this.controlPlane.command({ ...fields, ...command } as AgentCommand)
    const end = await waitFor(`the end of ${JSON.stringify(command)}`, () => this.finished(id)[0], 200_000)
    return end
  }

  finished(id: string): Finished[] {
    return this.controlPlane
      .list()
      .flatMap((event) => (event.kind === 'command.finished' && event.commandId === id ? [event] : []))
  }

  install(server: NodeServer): Promise<Finished> {
    return this.run(server, { kind: 'install' })
  }

  power(server: NodeServer, action: PowerAction): Promise<Finished> {
    return this.run(server, { kind: 'power', action })
  }

  /** Starts it and waits until its port is open. */
  async start(server: NodeServer): Promise<void> {
    server.asked += 1
    await this.expectOk(server, this.power(server, 'start'))
    await this.reaches(server, 'running')
  }

  async suspend(server: NodeServer, suspended = true): Promise<Finished> {
    server.spec = { ...server.spec, generation: server.spec.generation + 1, suspended }
    return this.run(server, { kind: 'update' })
  }

  async reaches(server: NodeServer, state: string): Promise<void> {
    await waitFor(`${server.identifier} to be ${state}`, () => {
      const last = this.controlPlane.lastState(server.id)
      if (last !== state) throw new Error(`It is ${last ?? 'nothing'}.`)
      return true
    })
  }

  async expectOk(server: NodeServer, end: Promise<Finished>): Promise<void> {
    const { ok, code, detail } = await end
    if (!ok) throw new Error(`A command for ${server.identifier} was answered with ${code}: ${detail}`)
  }

  join(server: NodeServer, name: string): Promise<GamePlayer> {
    return joinGame({ host: this.daemon.namespace.address, port: server.port }, name)
  }

  /** A browser on the server's console, with all its lines. */
  async watch(server: NodeServer): Promise<PanelClient> {
    const client = new PanelClient(this.agent?.port ?? 0, { host: this.daemon.namespace.address, serverId: server.id })
    await client.authenticate(await this.controlPlane.token({ server: server.id }), 0)
    return client
  }

  /** Name of the server's newest container. */
  async containerOf(server: NodeServer): Promise<string> {
    const [id] = await runningContainers(this.daemon, server.id)
    if (id === undefined) throw new Error(`Nothing runs for ${server.identifier}.`)
    return id
  }

  running(server: NodeServer): Promise<string[]> {
    return runningContainers(this.daemon, server.id)
  }

  /** Types of the activities that report the server's unexpected ends. */
  crashes(server: NodeServer): string[] {
    return this.controlPlane
      .list()
      .flatMap((event) => (event.kind === 'activity' && event.serverId === server.id ? [event.type] : []))
      .filter((type) => /crash|start-failed/.test(type))
  }

  file(server: NodeServer, name: string): string {
    const file = path.join(this.data, 'servers', server.identifier, name)
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }

  /** Asserts S-1 to S-5 of every server, once the reported state is the actual one. */
  async check(): Promise<void> {
    for (const server of this.servers) {
      const look = async () => {
        const told = this.controlPlane.lastState(server.id)
        const { length: running } = await this.running(server)
        return { told, running, isAlive: told === 'starting' || told === 'running' || told === 'stopping' }
      }
      await waitFor(`what is told of ${server.identifier} to be true`, async () => {
        const { isAlive, running } = await look()
        return isAlive === running > 0
      })
      const { told, running } = await look()
      expectInvariants({
        running,
        begun: this.file(server, 'root/starts.txt').split('\n').length - 1,
        asked: server.asked,
        told: told as Parameters<typeof expectInvariants>[0]['told'],
        suspended: server.spec.suspended,
        commands: server.commands,
        answers: server.commands.flatMap((id) => this.finished(id)),
      })
    }
  }
}
