import type Docker from 'dockerode'
import type { FaultPoint } from '../../platform/fault-point.ts'
import type { TaskHandle } from '../driver/task-handle.ts'
import type { CreateBody } from './container-options.ts'
import type { EngineAnswer } from './engine-answer.ts'
import type { DockerEngine } from './engine.ts'
import { containerName, isOwn, LABEL, type Owner } from './labels.ts'

const SLOW_MS = 60_000
/**
 * Without its containerd the engine waits ten seconds for an end that it cannot see; a kill by the kernel works at
 * once.
 */
const KILL_MS = 3_000

export interface ContainerState {
  readonly id: string
  /** `created` has never run, `ended` no longer runs. */
  readonly is: 'created' | 'running' | 'ended'
  readonly pid: number
  readonly startedAtMs: number
  readonly logPath: string
  readonly end: { readonly ExitCode: number; readonly OOMKilled: boolean; readonly FinishedAt: string }
}

/** `absent`: this agent has no such container, even if another one has its name. */
export type Inspection = { readonly is: 'absent' } | ({ readonly is: 'found' } & { readonly container: ContainerState })

const stateOf = (told: Docker.ContainerInspectInfo): ContainerState => {
  const { State } = told
  const startedAtMs = Date.parse(State.StartedAt)
  const hasStarted = Number.isFinite(startedAtMs) && startedAtMs > 0
  const isLive = State.Running || State.Paused || State.Restarting
  return {
    id: told.Id,
    is: isLive ? 'running' : hasStarted ? 'ended' : 'created',
    pid: State.Pid,
    startedAtMs,
    logPath: told.LogPath,
    end: State,
  }
}

/** The containers of one agent: found by name, verified by label, addressed by id. */
export class Containers {
  readonly #engine: DockerEngine
  readonly #owner: () => Owner
  readonly #faults: FaultPoint

  constructor(engine: DockerEngine, owner: () => Owner, faults: FaultPoint) {
    this.#engine = engine
    this.#owner = owner
    this.#faults = faults
  }

  get owner(): Owner {
    return this.#owner()
  }

  nameOf(handle: TaskHandle): string {
    return containerName(this.owner, handle)
  }

  /** The actual state of the task's container. A foreign container with the same name counts as absent. */
  async inspect(handle: TaskHandle): Promise<EngineAnswer<Inspection>> {
    const told = await this.#engine.ask('tell of a container', (docker) =>
      docker.getContainer(this.nameOf(handle)).inspect(),
    )
    if (!told.ok) return told.code === 'NOT_FOUND' ? { ok: true, value: { is: 'absent' } } : told
    if (!isOwn(this.owner, handle, told.value.Config.Labels)) return { ok: true, value: { is: 'absent' } }
    return { ok: true, value: { is: 'found', container: stateOf(told.value) } }
  }

  /** Returns the container's id, or CONFLICT when the name is taken. */
  async create(body: CreateBody): Promise<EngineAnswer<string>> {
    const options = body as unknown as Docker.ContainerCreateOptions
    await this.#faults('docker.creating')
    const created = await this.#engine.ask(
      'create a container',
      async (docker) => (await docker.createContainer(options)).id,
      SLOW_MS,
    )
    await this.#faults('docker.created')
    return created
  }

  async start(id: string): Promise<EngineAnswer<void>> {
    await this.#faults('docker.starting')
    const started = await this.#engine.ask(
      'start a container',
      async (docker) => void (await docker.getContainer(id).start()),
      SLOW_MS,
    )
    await this.#faults('docker.started')
    return started
  }

  /** A container that has ended or is gone is not a failure. */
  async signal(id: string, signal: string): Promise<EngineAnswer<void>> {
    await this.#faults('docker.signalling')
    const answer = await this.#engine.ask(
      'signal a container',
      async (docker) => {
        await docker.getContainer(id).kill({ signal })
      },
      signal === 'SIGKILL' ? KILL_MS : undefined,
    )
    await this.#faults('docker.signalled')
    const hasEnded = !answer.ok && (answer.code === 'NOT_FOUND' || answer.code === 'CONFLICT')
    return hasEnded ? { ok: true, value: undefined } : answer
  }

  /**
   * Kills and removes the container with its anonymous volumes; a missing one is not a failure. CONFLICT while the
   * engine believes that a killed container runs: removed anyway, it would keep its ports for as long as the engine
   * runs.
   */
  async remove(id: string): Promise<EngineAnswer<void>> {
    await this.#faults('docker.removing')
    const ended = await this.#end(id)
    const removed = ended.ok ? await this.#removeEnded(id) : ended
    await this.#faults('docker.removed')
    return !removed.ok && removed.code === 'NOT_FOUND' ? { ok: true, value: undefined } : removed
  }

  async #end(id: string): Promise<EngineAnswer<void>> {
    const runs = (): Promise<EngineAnswer<boolean>> =>
      this.#engine.ask(
        'tell of a container',
        async (docker) => stateOf(await docker.getContainer(id).inspect()).is === 'running',
      )
    const before = await runs()
    if (!before.ok) return before
    if (!before.value) return { ok: true, value: undefined }
    await this.signal(id, 'SIGKILL')
    const after = await runs()
    if (!after.ok) return after
    if (!after.value) return { ok: true, value: undefined }
    return { ok: false, code: 'CONFLICT', message: 'it was ended, and Docker does not know yet' }
  }

  #removeEnded(id: string): Promise<EngineAnswer<void>> {
    return this.#engine.ask(
      'remove a container',
      async (docker) => {
        await docker.getContainer(id).remove({ force: true, v: true })
      },
      SLOW_MS,
    )
  }

  /** Ids and tasks of all containers of this agent for the server, including ended ones. */
  async ofServer(serverId: string): Promise<EngineAnswer<{ readonly id: string; readonly handle: TaskHandle }[]>> {
    const { installation } = this.owner
    const filters = { label: [`${LABEL.installation}=${installation}`, `${LABEL.server}=${serverId}`] }
    const told = await this.#engine.ask('list containers', (docker) => docker.listContainers({ all: true, filters }))
    if (!told.ok) return told
    const found = told.value.flatMap(({ Id, Labels }): { id: string; handle: TaskHandle }[] => {
      const kind = Labels[LABEL.kind]
      const taskId = Labels[LABEL.task]
      if (taskId === undefined || (kind !== 'install' && kind !== 'server')) return []
      return [{ id: Id, handle: { version: 1, driver: 'docker', taskId, serverId, kind } }]
    })
    return { ok: true, value: found }
  }
}
