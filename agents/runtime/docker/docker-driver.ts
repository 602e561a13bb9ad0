import { HistoryReader } from '../../console/history-reader.ts'
import { AgentError } from '../../platform/agent-error.ts'
import type { Disk } from '../../platform/disk.ts'
import { identityOf, isAlive } from '../../platform/process-identity.ts'
import { sleep } from '../../platform/timers.ts'
import { kernelFiles, locateCgroup, sampleCgroup, type CgroupPlace } from '../../stats/cgroup.ts'
import type {
  ProgramPlace,
  RuntimeCapabilities,
  RuntimeDriver,
  ServerFolders,
  StopSignal,
  TaskObservation,
  TaskSample,
  TaskSpec,
  TaskWatcher,
} from '../runtime-driver.ts'
import type { TaskExit, TaskHandle } from '../task-handle.ts'
import { ConsoleWriters } from './console-writers.ts'
import type { CreateBody } from './container-options.ts'
import { Containers, type ContainerState, type Inspection } from './containers.ts'
import { sampleByEngine } from './engine-stats.ts'
import { valueOf, type EngineAnswer } from './engine-answer.ts'
import type { DockerEngine } from './engine.ts'
import { followEvents } from './event-stream.ts'
import { exitOf } from './exit-code.ts'
import { INSTALLER_CERTIFICATES, INSTALLER_HOME, installerContainer } from './installer-container.ts'
import { LABEL, labelsOf, type Owner } from './labels.ts'
import { SERVER_HOME, serverContainer } from './server-container.ts'
import { StandardInput } from './standard-input.ts'
import { TaskFollower, type FollowerDeps } from './task-follower.ts'
import { DockerStart, taskFolder, TaskRecords, type DockerTask } from './task-record.ts'

const POLL_MS = 500
/** How long a question that must have an answer is asked again while the engine does not give one. */
const ANSWER_WITHIN_MS = 120_000
/** Lines that tell how the image comes are not part of the template's own output. */
const INSTALLER_OUTPUT = 'x'

export interface PreparedImage {
  readonly id: string
  /** Paths that the image declares as volumes. */
  readonly volumes: readonly string[]
}

export interface ImageStore {
  /** Makes the image ready; `progress` is told in sentences. Rejects with an AgentError that says why it cannot be had. */
  prepare(reference: string, progress: (text: string) => void): Promise<PreparedImage>
}

export interface NetworkStore {
  /** Name of the server's own network, or of one for its installation; made when it is missing. */
  prepare(serverId: string, kind: TaskHandle['kind']): Promise<string>
  /** Removes all networks of the server. */
  remove(serverId: string): Promise<void>
}

export interface DockerDriverDeps extends Pick<FollowerDeps, 'clock' | 'timers' | 'log' | 'engine'> {
  readonly disk: Disk
  readonly owner: () => Owner
  readonly images: ImageStore
  readonly networks: NetworkStore
  readonly caBundle: string | null
  /** Text of a program of the agent's own list. */
  readonly programText: (name: string) => string | undefined
  readonly warnings: readonly string[]
}

type Recovered = { readonly is: 'running'; readonly start: DockerStart } | Exclude<TaskObservation, { is: 'running' }>

const NEVER = { is: 'never-started' } as const

/**
 * Runs each program in a container of its own. The container is named after the task, so one id has at most one; whether it
 * may still begin is decided by a record on disk before the engine is asked for anything.
 */
export class DockerDriver implements RuntimeDriver {
  readonly name = 'docker'
  readonly #deps: DockerDriverDeps
  readonly #engine: DockerEngine
  readonly #containers: Containers
  readonly #records: TaskRecords
  readonly #writers = new ConsoleWriters()
  readonly #followers = new Map<string, TaskFollower>()
  readonly #inputs = new Map<string, StandardInput>()
  readonly #places = new Map<string, CgroupPlace>()
  readonly #starting = new Map<string, Promise<TaskObservation>>()
  readonly #life = new AbortController()

  constructor(deps: DockerDriverDeps) {
    this.#deps = deps
    this.#engine = deps.engine
    this.#containers = new Containers(deps.engine, deps.owner)
    this.#records = new TaskRecords(deps.disk)
    this.#followEvents()
  }

  capabilities(): RuntimeCapabilities {
    const { warnings } = this.#deps
    return { ownUser: true, memoryLimit: true, cpuLimit: true, networkStats: true, warnings }
  }

  place(kind: TaskHandle['kind']): ProgramPlace {
    const { caBundle, programText } = this.#deps
    return {
      rootFolder: kind === 'install' ? INSTALLER_HOME : SERVER_HOME,
      nodePath: 'node',
      npmCommand: ['npm'],
      // Unset, so that the image's own holds.
      searchPath: null,
      listenIp: (ip) => (ip.includes(':') ? '::' : '0.0.0.0'),
      caBundle: caBundle === null || kind === 'server' ? undefined : INSTALLER_CERTIFICATES,
      // As an argument: nothing of the agent has to lie in the customer's folder or in the image.
      program: (name) => {
        const text = programText(name)
        return text === undefined ? undefined : ['--input-type=module', '--eval', text]
      },
    }
  }

  start(spec: TaskSpec): Promise<TaskObservation> {
    const { taskId } = spec.handle
    const running = this.#starting.get(taskId)
    if (running !== undefined) return running
    const mine = this.#startOnce(spec).finally(() => this.#starting.delete(taskId))
    this.#starting.set(taskId, mine)
    return mine
  }

  async recover(handle: TaskHandle, folders: ServerFolders): Promise<TaskObservation> {
    const starting = this.#starting.get(handle.taskId)
    if (starting !== undefined) return starting
    const recovered = await this.#recover(handle, folders)
    if (recovered.is !== 'running') return recovered
    this.#follow(handle, folders, recovered.start)
    return { is: 'running', startedAtMs: recovered.start.startedAtMs }
  }

  async watch(handle: TaskHandle, folders: ServerFolders, watcher: TaskWatcher): Promise<() => void> {
    const recovered = await this.#recover(handle, folders)
    if (recovered.is === 'running') return this.#follow(handle, folders, recovered.start).watch(watcher)
    const lost: TaskExit = { code: null, signal: null, atMs: this.#deps.clock.now() }
    watcher.exited(recovered.is === 'exited' ? recovered.exit : lost)
    return () => {}
  }

  async writeLine(handle: TaskHandle, folders: ServerFolders, line: string): Promise<boolean> {
    const start = this.#startOf(handle, folders)
    if (start === undefined || this.#records.exit(taskFolder(folders.state, handle.taskId)) !== undefined) return false
    const input = this.#inputs.get(handle.taskId) ?? new StandardInput(this.#engine, start.containerId)
    this.#inputs.set(handle.taskId, input)
    return input.writeLine(line)
  }

  async signal(handle: TaskHandle, folders: ServerFolders, signal: StopSignal): Promise<void> {
    const start = this.#startOf(handle, folders)
    if (start === undefined) return
    const answer = await this.#containers.signal(start.containerId, signal)
    // An engine that hangs must not make its programs unstoppable. The first process passes signals on.
    if (!answer.ok && start.pid > 1 && isAlive(start)) process.kill(start.pid, signal)
    void this.#followers.get(handle.taskId)?.look()
  }

  async sample(handle: TaskHandle, folders: ServerFolders): Promise<TaskSample | undefined> {
    const start = this.#startOf(handle, folders)
    if (start === undefined || this.#records.exit(taskFolder(folders.state, handle.taskId)) !== undefined) {
      return undefined
    }
    const uptimeMs = this.#deps.clock.now() - start.startedAtMs
    const place = this.#places.get(handle.taskId) ?? locateCgroup(kernelFiles, start.pid)
    if (place === undefined) {
      const told = await sampleByEngine(this.#engine, start.containerId)
      return told === undefined ? undefined : { ...told, uptimeMs }
    }
    this.#places.set(handle.taskId, place)
    const usage = isAlive(start) ? sampleCgroup(kernelFiles, place) : undefined
    return usage === undefined ? undefined : { ...usage, uptimeMs }
  }

  openConsole(folders: ServerFolders): HistoryReader {
    return new HistoryReader(folders.console)
  }

  note(folders: ServerFolders, texts: readonly string[]): Promise<void> {
    const timeMs = this.#deps.clock.now()
    this.#writers.note(
      folders.console,
      texts.map((text) => ({ timeMs, stream: 'x', text })),
    )
    return Promise.resolve()
  }

  async tasksOf(serverId: string, folders: ServerFolders): Promise<TaskHandle[]> {
    const recorded = this.#records.list(folders.state).flatMap((taskId): TaskHandle[] => {
      const task = this.#records.task(taskFolder(folders.state, taskId))
      return task === undefined ? [] : [{ version: 1, driver: this.name, taskId, serverId, kind: task.kind }]
    })
    const known = new Set(recorded.map((handle) => handle.taskId))
    // A container whose record was lost with the state folder must not run beside a new one.
    const found = await this.#containers.ofServer(serverId)
    const unrecorded = found.ok ? found.value.filter(({ handle }) => !known.has(handle.taskId)) : []
    return [...recorded, ...unrecorded.map(({ handle }) => handle)]
  }

  async forget(handle: TaskHandle, folders: ServerFolders): Promise<void> {
    this.#letGo(handle.taskId)
    const told = await this.#containers.inspect(handle)
    if (told.ok && told.value.is === 'found') await this.#containers.remove(told.value.container.id)
    // Without the engine's answer the record stays, so the container is found again and removed another time.
    if (told.ok) this.#records.remove(taskFolder(folders.state, handle.taskId))
  }

  async removeServer(serverId: string): Promise<void> {
    const found = await this.#insist('list the containers of a server', () => this.#containers.ofServer(serverId))
    for (const { id, handle } of found) {
      this.#letGo(handle.taskId)
      valueOf(await this.#containers.remove(id), 'remove a container')
    }
    await this.#deps.networks.remove(serverId)
  }

  close(): void {
    this.#life.abort()
    for (const taskId of [...this.#followers.keys(), ...this.#inputs.keys()]) this.#letGo(taskId)
  }

  async #startOnce(spec: TaskSpec): Promise<TaskObservation> {
    const { handle, folders } = spec
    const folder = taskFolder(folders.state, handle.taskId)
    const task: DockerTask = {
      version: 1,
      kind: handle.kind,
      fate: 'begin',
      afterSeq: this.#writers.of(folders.console).writer.lastSeq,
      timeoutMs: spec.timeoutMs,
    }
    if (!this.#records.claim(folder, task)) {
      const recovered = await this.#recover(handle, folders)
      if (recovered.is !== 'running') return recovered
      this.#follow(handle, folders, recovered.start)
      return { is: 'running', startedAtMs: recovered.start.startedAtMs }
    }
    try {
      const id = await this.#create(spec)
      return await this.#begin(spec, id)
    } catch (error) {
      await this.#giveUp(handle, folder, task)
      throw error
    }
  }

  /** Image, network, container. Resolves with the container's id; nothing runs yet. */
  async #create(spec: TaskSpec): Promise<string> {
    const { handle, folders } = spec
    if (spec.image === null) {
      throw new AgentError('PROGRAM_NOT_STARTED', 'The template of this server names no Docker image.')
    }
    const image = await this.#deps.images.prepare(spec.image, (text) => this.#progress(folders, text))
    const network = await this.#deps.networks.prepare(handle.serverId, handle.kind)
    const created = await this.#containers.create(this.#bodyOf(spec, image, network))
    if (created.ok) return created.value
    if (created.code === 'REFUSED' || created.code === 'NOT_FOUND') valueOf(created, 'create a container')
    // The engine may have created it without being able to say so; a foreign one with this name is left alone.
    const told = await this.#insist('tell of a container', () => this.#containers.inspect(handle))
    if (told.is === 'found') return told.container.id
    return valueOf(created, 'create a container')
  }

  #bodyOf(spec: TaskSpec, image: PreparedImage, network: string): CreateBody {
    const { handle } = spec
    const input = {
      name: this.#containers.nameOf(handle),
      imageId: image.id,
      imageVolumes: image.volumes,
      argv: spec.argv,
      environment: spec.environment,
      rootFolder: spec.folders.root,
      network,
      labels: labelsOf(this.#containers.owner, handle),
      limits: spec.limits,
    }
    return handle.kind === 'install'
      ? installerContainer({ ...input, caBundle: this.#deps.caBundle })
      : serverContainer({ ...input, uid: spec.uid, ports: spec.ports })
  }

  async #begin(spec: TaskSpec, id: string): Promise<TaskObservation> {
    const { handle, folders } = spec
    const started = await this.#containers.start(id)
    if (!started.ok && started.code !== 'UNREACHABLE') {
      const reason = started.message.replace(/\s+/g, ' ').slice(0, 300)
      throw new AgentError('PROGRAM_NOT_STARTED', `The program could not be started: ${reason}`)
    }
    const told = await this.#insist('tell of a container', () => this.#containers.inspect(handle))
    if (told.is === 'absent' || told.container.is === 'created') {
      throw new AgentError('PROGRAM_NOT_STARTED', 'Docker did not start the container.', { retryable: true })
    }
    const start = this.#recordStart(handle, folders, told.container)
    this.#follow(handle, folders, start)
    return { is: 'running', startedAtMs: start.startedAtMs }
  }

  #recordStart(handle: TaskHandle, folders: ServerFolders, container: ContainerState): DockerStart {
    const start: DockerStart = {
      version: 1,
      containerId: container.id,
      ...identityOf(container.pid),
      startedAtMs: container.startedAtMs,
      logPath: container.logPath,
    }
    this.#records.writeStart(taskFolder(folders.state, handle.taskId), start)
    return start
  }

  /** The task has not begun and never will. What is left of its container goes when the engine answers. */
  async #giveUp(handle: TaskHandle, folder: string, task: DockerTask): Promise<void> {
    this.#records.ruleOut(folder, task)
    this.#letGo(handle.taskId)
    const told = await this.#containers.inspect(handle)
    if (told.ok && told.value.is === 'found') await this.#containers.remove(told.value.container.id)
  }

  async #recover(handle: TaskHandle, folders: ServerFolders): Promise<Recovered> {
    const folder = taskFolder(folders.state, handle.taskId)
    const exit = this.#records.exit(folder)
    if (exit !== undefined) return { is: 'exited', exit }
    const task = this.#records.task(folder)
    if (task?.fate === 'never') return NEVER
    const start = this.#records.start(folder)
    if (start !== undefined) {
      // Known to have begun: an engine that does not answer changes nothing of that.
      const told = await this.#containers.inspect(handle)
      return told.ok ? this.#settle(handle, folders, told.value) : { is: 'running', start }
    }
    return this.#settle(
      handle,
      folders,
      await this.#insist('tell of a container', () => this.#containers.inspect(handle)),
    )
  }

  async #settle(handle: TaskHandle, folders: ServerFolders, told: Inspection): Promise<Recovered> {
    const folder = taskFolder(folders.state, handle.taskId)
    const begun = this.#records.start(folder)
    const fields = { version: 1 as const, kind: handle.kind, timeoutMs: null }
    if (told.is === 'found' && told.container.is !== 'created') {
      // A container without a record: the state folder was lost. It is taken in where its console stands.
      this.#records.claim(folder, { ...fields, fate: 'begin', afterSeq: 0 })
      const start = begun ?? this.#recordStart(handle, folders, told.container)
      if (told.container.is === 'running') return { is: 'running', start }
      return this.#finish(handle, folders, { start, exit: exitOf(told.container.end, this.#deps.clock.now()) })
    }
    if (begun !== undefined) {
      const exit: TaskExit = { code: null, signal: null, atMs: this.#deps.clock.now() }
      return this.#finish(handle, folders, { start: begun, exit })
    }
    if (told.is === 'found') valueOf(await this.#containers.remove(told.container.id), 'remove a container')
    const task: DockerTask = { ...fields, fate: 'never', afterSeq: 0 }
    if (!this.#records.claim(folder, task)) this.#records.ruleOut(folder, this.#records.task(folder) ?? task)
    return NEVER
  }

  /** The end that nobody watched: the last lines are copied before it is told. */
  async #finish(
    handle: TaskHandle,
    folders: ServerFolders,
    end: { readonly start: DockerStart; readonly exit: TaskExit },
  ): Promise<Recovered> {
    const follower = this.#follow(handle, folders, end.start)
    const exit = await follower.finish(end.exit)
    return { is: 'exited', exit }
  }

  #follow(handle: TaskHandle, folders: ServerFolders, start: DockerStart): TaskFollower {
    const known = this.#followers.get(handle.taskId)
    if (known !== undefined) return known
    const task = this.#records.task(taskFolder(folders.state, handle.taskId))
    const follower = new TaskFollower(
      {
        handle,
        folders,
        start,
        task: task ?? { version: 1, kind: handle.kind, fate: 'begin', afterSeq: 0, timeoutMs: null },
      },
      { ...this.#deps, containers: this.#containers, records: this.#records, writers: this.#writers },
      () => this.#letGo(handle.taskId),
    )
    this.#followers.set(handle.taskId, follower)
    return follower
  }

  #letGo(taskId: string): void {
    this.#followers.get(taskId)?.close()
    this.#followers.delete(taskId)
    this.#inputs.get(taskId)?.close()
    this.#inputs.delete(taskId)
    this.#places.delete(taskId)
  }

  #startOf(handle: TaskHandle, folders: ServerFolders): DockerStart | undefined {
    return this.#records.start(taskFolder(folders.state, handle.taskId))
  }

  #progress(folders: ServerFolders, text: string): void {
    try {
      this.#writers.note(folders.console, [{ timeMs: this.#deps.clock.now(), stream: INSTALLER_OUTPUT, text }])
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'progress not written')
    }
  }

  /** Asks until the engine answers. Throws the answer's AgentError when it does not within two minutes. */
  async #insist<T>(what: string, question: () => Promise<EngineAnswer<T>>): Promise<T> {
    const deadline = this.#deps.clock.now() + ANSWER_WITHIN_MS
    for (;;) {
      const answer = await question()
      if (answer.ok || answer.code !== 'UNREACHABLE' || this.#deps.clock.now() > deadline) {
        return valueOf(answer, what)
      }
      await sleep(this.#deps.timers, POLL_MS)
    }
  }

  #followEvents(): void {
    const lookAll = (): void => {
      for (const follower of this.#followers.values()) void follower.look()
    }
    followEvents(
      this.#deps,
      {
        event: ({ type, action, attributes }) => {
          if (type !== 'container' || !['die', 'destroy', 'oom'].includes(action)) return
          void this.#followers.get(attributes[LABEL.task] ?? '')?.look()
        },
        resync: lookAll,
        lost: (reason) => this.#deps.log.warn({ reason }, 'Docker does not answer; its containers are taken to go on'),
      },
      this.#life.signal,
    )
  }
}
