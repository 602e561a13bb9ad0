import type { StopSignal } from '#contracts/agent/stop-method.ts'
import type { NoteLine } from '../../console/notes.ts'
import type { ConsoleSource, OlderPage } from '../../console/history-reader.ts'
import type { PageLimit } from '../../console/segment-search.ts'
import type { ListeningPorts } from './listening-ports.ts'
import type { TaskExit, TaskHandle } from './task-handle.ts'

export interface RuntimeCapabilities {
  /** Each server runs under a separate user. */
  readonly ownUser: boolean
  readonly memoryLimit: boolean
  readonly cpuLimit: boolean
  readonly networkStats: boolean
  /** Missing capabilities of the driver here, as sentences for the operator. */
  readonly warnings: readonly string[]
}

export interface ServerFolders {
  /** The customer's folder. */
  readonly root: string
  readonly state: string
  readonly console: string
}

export interface TaskSpec {
  readonly handle: TaskHandle
  readonly folders: ServerFolders
  /** argv only: nothing is ever passed through a shell. */
  readonly argv: readonly string[]
  /** Complete environment of the program; nothing is inherited from the agent. */
  readonly environment: Readonly<Record<string, string>>
  /** A driver that enforces less than this says so in its capabilities. */
  readonly limits: {
    readonly memoryMiB: number
    /** Swap on top of the memory. */
    readonly swapMiB: number
    readonly cpuPercent: number
    readonly pids: number
    /** 10 to 1000; null leaves it to the driver. */
    readonly ioWeight: number | null
  }
  /** The user the server's files belong to. */
  readonly uid: number
  /** The image, for drivers that use images. */
  readonly image: string | null
  /** The images in the server's template: a driver runs no other. Absent: only the one above. */
  readonly listedImages?: readonly string[]
  /** The node's addresses of the server, for drivers with their own networks. */
  readonly ports: readonly { readonly ip: string; readonly port: number }[]
  /**
   * An installation is ended with SIGKILL after this time. The process driver does so even without an agent, the Docker
   * driver at the latest when the agent is back.
   */
  readonly timeoutMs: number | null
}

/** The environment that a program of this driver sees, where it differs from the agent's. */
export interface ProgramPlace {
  readonly rootFolder: string
  readonly nodePath: string
  readonly npmCommand: readonly string[]
  /** PATH of the program; null leaves the image's. */
  readonly searchPath: string | null
  /** The address to listen at, for an allocation of the node. */
  listenIp(ip: string): string
  readonly caBundle: string | undefined
  /** Arguments with which Node runs one of the agent's own programs; undefined for an unknown name. */
  program(name: string): readonly string[] | undefined
}

export type TaskObservation =
  | { readonly is: 'running'; readonly startedAtMs: number }
  | { readonly is: 'exited'; readonly exit: TaskExit }
  /** The task never began, and can no longer begin. */
  | { readonly is: 'never-started' }

export interface TaskWatcher {
  /** The console has new lines. */
  output(): void
  /** Called once; all lines of the task are in the console by then. */
  exited(exit: TaskExit): void
}

export interface TaskSample {
  /** CPU time since the start of the task. */
  readonly cpuMs: number
  readonly memoryBytes: number
  readonly processes: number
  readonly uptimeMs: number
  readonly network: { readonly receivedBytes: number; readonly sentBytes: number } | null
}

/** A console that can be refreshed; `refresh` returns true when there are new lines. */
export interface RefreshableConsole extends ConsoleSource {
  readonly firstSeq: number
  refresh(): boolean
  /** The newest kept lines before a number. Reads no more than it needs. */
  before(seq: number, limit: PageLimit): OlderPage
}

/**
 * Runs programs so that they outlive the agent. All code above the drivers uses this interface, and
 * tests/suites/runtime-driver.suite.ts tests each driver against it.
 */
export interface RuntimeDriver {
  readonly name: TaskHandle['driver']
  capabilities(): RuntimeCapabilities
  /** Undefined: programs see the node as the agent does. */
  place(kind: TaskHandle['kind']): ProgramPlace | undefined
  /**
   * Starts the task unless its id was ever started or given up before: one id runs at most once, however often it is
   * requested. Rejects with an AgentError when the program cannot be started; then nothing runs.
   */
  start(spec: TaskSpec): Promise<TaskObservation>
  /** The actual state. A task that was recorded but did not begin is prevented from beginning. */
  recover(handle: TaskHandle, folders: ServerFolders): Promise<TaskObservation>
  /** Follows a running task. Returns the function that stops following; the task continues. */
  watch(handle: TaskHandle, folders: ServerFolders, watcher: TaskWatcher): Promise<() => void>
  /** Writes one line to the program's standard input. False when the program no longer reads it. */
  writeLine(handle: TaskHandle, folders: ServerFolders, line: string): Promise<boolean>
  /** Sends the signal to the whole process group. An ended task is not an error. */
  signal(handle: TaskHandle, folders: ServerFolders, signal: StopSignal): Promise<void>
  sample(handle: TaskHandle, folders: ServerFolders): Promise<TaskSample | undefined>
  /** The listening ports in the program's network; undefined when it has ended or the node cannot see it. */
  listening(handle: TaskHandle, folders: ServerFolders): Promise<ListeningPorts | undefined>
  openConsole(folders: ServerFolders): RefreshableConsole
  /** Adds lines of Bakter's own to the console of a server that runs no task. */
  note(folders: ServerFolders, notes: readonly NoteLine[]): Promise<void>
  /** Every task of the server with records of the driver, ended or not. */
  tasksOf(serverId: string, folders: ServerFolders): Promise<TaskHandle[]>
  /** Removes the driver's own records of an ended task. */
  forget(handle: TaskHandle, folders: ServerFolders): Promise<void>
  /** Removes everything of the server that the driver keeps outside its folders. Running programs are ended. */
  removeServer(serverId: string): Promise<void>
  /** Releases everything without ending it. */
  close(): void
}
