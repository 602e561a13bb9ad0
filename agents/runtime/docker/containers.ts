import type Docker from 'dockerode'
import type { TaskHandle } from '../task-handle.ts'
import type { CreateBody } from './container-options.ts'
import type { EngineAnswer } from './engine-answer.ts'
import type { DockerEngine } from './engine.ts'
import { containerName, isOwn, LABEL, type Owner } from './labels.ts'

const SLOW_MS = 60_000

export interface ContainerState {
  readonly id: string
  /** `created` has never run, `ended` runs no more. */
  readonly is: 'created' | 'running' | 'ended'
  readonly pid: number
  readonly startedAtMs: number
  readonly logPath: string
  readonly end: { readonly ExitCode: number; readonly OOMKilled: boolean; readonly FinishedAt: string }
}

/** `absent`: there is no such container of this agent, whatever else may carry its name. */
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

/** The containers of one agent: found by name, believed by label, acted on by id. */
export class Containers {
  readonly #engine: DockerEngine
  readonly #owner: () => Owner

  constructor(engine: DockerEngine, owner: () => Owner) {
    this.#engine = engine
    this.#owner = owner
  }

  get owner(): Owner {
    return this.#owner()
  }

  nameOf(handle: TaskHandle): string {
    return containerName(this.owner, handle)
  }

  /** What is true of the task's container. A container that somebody else gave the same name counts as absent. */
  async inspect(handle: TaskHandle): Promise<EngineAnswer<Inspection>> {
    const told = await this.#engine.ask('tell of a container', (docker) =>
      docker.getContainer(this.nameOf(handle)).inspect(),
    )
    if (!told.ok) return told.code === 'NOT_FOUND' ? { ok: true, value: { is: 'absent' } } : told
    if (!isOwn(this.owner, handle, told.value.Config.Labels)) return { ok: true, value: { is: 'absent' } }
    return { ok: true, value: { is: 'found', container: stateOf(told.value) } }
  }

  /** Answers with the container's id, CONFLICT when the name is taken. */
  async create(body: CreateBody): Promise<EngineAnswer<string>> {
    const options = body as unknown as Docker.ContainerCreateOptions
    return this.#engine.ask('create a container', async (docker) => (await docker.createContainer(options)).id, SLOW_MS)
  }

  async start(id: string): Promise<EngineAnswer<void>> {
    return this.#engine.ask(
      'start a container',
      async (docker) => void (await docker.getContainer(id).start()),
      SLOW_MS,
    )
  }

  /** A container that runs no more, or is gone, is no refusal. */
  async signal(id: string, signal: string): Promise<EngineAnswer<void>> {
    const answer = await this.#engine.ask('signal a container', async (docker) => {
      await docker.getContainer(id).kill({ signal })
    })
    const hasEnded = !answer.ok && (answer.code === 'NOT_FOUND' || answer.code === 'CONFLICT')
    return hasEnded ? { ok: true, value: undefined } : answer
  }

  /** Ends and removes the container with its anonymous volumes; one that is gone is no refusal. */
  async remove(id: string): Promise<EngineAnswer<void>> {
    const answer = await this.#engine.ask(
      'remove a container',
      async (docker) => {
        await docker.getContainer(id).remove({ force: true, v: true })
      },
      SLOW_MS,
    )
    return !answer.ok && answer.code === 'NOT_FOUND' ? { ok: true, value: undefined } : answer
  }

  /** Ids and tasks of all containers of this agent for the server, ended ones too. */
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
