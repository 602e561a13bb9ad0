import { REGISTRY_VARIABLE } from '../../npm/registry-cache.ts'
import { AgentError } from '../../platform/agent-error.ts'
import type { Clock } from '#platform/clock.ts'
import { sleep, type Timers } from '../../platform/timers.ts'
import type { TaskSpec } from '../driver/runtime-driver.ts'
import type { TaskHandle } from '../driver/task-handle.ts'
import type { CreateBody } from './container-options.ts'
import type { Containers, ContainerState } from './containers.ts'
import { valueOf, type EngineAnswer } from './engine-answer.ts'
import { installerContainer } from './installer-container.ts'
import { labelsOf } from './labels.ts'
import type { PreparedNetwork } from './networks.ts'
import { serverContainer } from './server-container.ts'

const POLL_MS = 500
/** How long a required request is repeated while the engine does not respond. */
const ANSWER_WITHIN_MS = 120_000

export interface PreparedImage {
  readonly id: string
  /** Volumes declared by the image. */
  readonly volumes: readonly string[]
}

export interface ImageStore {
  /** Prepares the image; `progress` receives sentences. Rejects with an AgentError that says why it is unavailable. */
  prepare(
    image: { readonly reference: string; readonly listed: readonly string[] },
    progress: (text: string) => void,
  ): Promise<PreparedImage>
}

export interface NetworkStore {
  /** The server's network, or its installation's; created if missing. */
  prepare(serverId: string, kind: TaskHandle['kind']): Promise<PreparedNetwork>
  /** The installation has ended: its network is removed. */
  release(serverId: string): Promise<void>
  /** Removes all networks of the server. */
  remove(serverId: string): Promise<void>
}

export interface LauncherDeps {
  readonly clock: Clock
  readonly timers: Timers
  readonly containers: Containers
  readonly images: ImageStore
  readonly networks: NetworkStore
  /** The operator's certificates on this node, for installations. */
  readonly caBundle: string | null
}

/** Creates and starts a container step by step. The driver's records decide about the task. */
export class TaskLauncher {
  readonly #deps: LauncherDeps

  constructor(deps: LauncherDeps) {
    this.#deps = deps
  }

  /** Image, network, container. Resolves with the container's id; nothing runs yet. */
  async create(spec: TaskSpec, progress: (text: string) => void): Promise<string> {
    const { handle } = spec
    if (spec.image === null) {
      throw new AgentError('PROGRAM_NOT_STARTED', 'The template of this server names no Docker image.')
    }
    const image = await this.#deps.images.prepare(
      { reference: spec.image, listed: spec.listedImages ?? [spec.image] },
      progress,
    )
    const network = await this.#deps.networks.prepare(handle.serverId, handle.kind)
    const created = await this.#deps.containers.create(this.#bodyOf(spec, image, network))
    if (created.ok) return created.value
    if (created.code === 'REFUSED' || created.code === 'NOT_FOUND') valueOf(created, 'create a container')
    // The engine may have created it although the response was lost; a foreign one with this name is left alone.
    const told = await this.insist('tell of a container', () => this.#deps.containers.inspect(handle))
    if (told.is === 'found') return told.container.id
    return valueOf(created, 'create a container')
  }

  #bodyOf(spec: TaskSpec, image: PreparedImage, network: PreparedNetwork): CreateBody {
    const { handle } = spec
    // The node's address in this network is known only now.
    const registry = network.registry === null ? {} : { [REGISTRY_VARIABLE]: network.registry }
    const input = {
      name: this.#deps.containers.nameOf(handle),
      imageId: image.id,
      imageVolumes: image.volumes,
      argv: spec.argv,
      environment: { ...spec.environment, ...registry },
      rootFolder: spec.folders.root,
      network: network.name,
      labels: labelsOf(this.#deps.containers.owner, handle),
      limits: spec.limits,
    }
    return handle.kind === 'install'
      ? installerContainer({ ...input, caBundle: this.#deps.caBundle })
      : serverContainer({ ...input, uid: spec.uid, ports: spec.ports })
  }

  /** Starts the container and checks it. Throws an AgentError when it does not run; a late response is handled too. */
  async start(handle: TaskHandle, id: string): Promise<ContainerState> {
    const started = await this.#deps.containers.start(id)
    if (!started.ok && started.code !== 'UNREACHABLE') {
      const reason = started.message.replace(/\s+/g, ' ').slice(0, 300)
      throw new AgentError('PROGRAM_NOT_STARTED', `The program could not be started: ${reason}`)
    }
    const told = await this.insist('tell of a container', () => this.#deps.containers.inspect(handle))
    if (told.is === 'absent' || told.container.is === 'created') {
      throw new AgentError('PROGRAM_NOT_STARTED', 'Docker did not start the container.', { retryable: true })
    }
    return told.container
  }

  /** Removes the remains of the task's container, if the engine responds. */
  async discard(handle: TaskHandle): Promise<void> {
    const told = await this.#deps.containers.inspect(handle)
    if (told.ok && told.value.is === 'found') await this.#deps.containers.remove(told.value.container.id)
  }

  /** Repeats the call until the engine responds. Throws the last AgentError if it does not within two minutes. */
  async insist<T>(what: string, question: () => Promise<EngineAnswer<T>>): Promise<T> {
    const deadline = this.#deps.clock.now() + ANSWER_WITHIN_MS
    for (;;) {
      const answer = await question()
      if (answer.ok || answer.code !== 'UNREACHABLE' || this.#deps.clock.now() > deadline) {
        return valueOf(answer, what)
      }
      await sleep(this.#deps.timers, POLL_MS)
    }
  }
}
