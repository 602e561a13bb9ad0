import type { StopSignal } from '#contracts/agent/stop-method.ts'
import type { NoteLine } from '../../console/notes.ts'
import type { ConsoleSource, OlderPage } from '../../console/history-reader.ts'
import type { PageLimit } from '../../console/segment-search.ts'
import type { TaskExit, TaskHandle } from './task-handle.ts'

export type { StopSignal } from '#contracts/agent/stop-method.ts'

export interface RuntimeCapabilities {
  /** Each server runs under a user of its own. */
  readonly ownUser: boolean
  readonly memoryLimit: boolean
  readonly cpuLimit: boolean
  readonly networkStats: boolean
  /** What the driver cannot do here, as sentences for the operator. */
  readonly warnings: readonly string[]
}

export interface ServerFolders {
  /** What the customer owns. */
  readonly root: string
  readonly state: string
  readonly console: string
}

export interface TaskSpec {
  readonly handle: TaskHandle
  readonly folders: ServerFolders
  /** argv only: nothing here ever passes through a shell. */
  readonly argv: readonly string[]
  /** Complete environment of the program; nothing is inherited from the agent. */
  readonly environment: Readonly<Record<string, string>>
  /** Where a driver limits less than this, its capabilities say so. */
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
  /** The image to run in, for drivers that run in images. */
  readonly image: string | null
  /** Images that the server's template lists: a driver runs no other. Absent: the one above. */
  readonly listedImages?: readonly string[]
  /** Addresses of the node at which the server is reached, for drivers with networks of their own. */
  readonly ports: readonly { readonly ip: string; readonly port: number }[]
  /**
   * An installation is ended with SIGKILL after this time. The process driver does so also when no agent watches, the
   * Docker driver at the latest when the agent is back.
   */
  readonly timeoutMs: number | null
}

/** How the world looks to a program that the driver starts, where that is not as the agent sees it. */
export interface ProgramPlace {
  readonly rootFolder: string
  readonly nodePath: string
  readonly npmCommand: readonly string[]
  /** PATH of the program; null leaves what the image says. */
  readonly searchPath: string | null
  /** The address to listen at, for an allocation of the node. */
  listenIp(ip: string): string
  readonly caBundle: string | undefined
  /** Arguments with which Node runs a program of the agent's own list; undefined for a name that is not on it. */
  program(name: string): readonly string[] | undefined
}

export type TaskObservation =
  | { readonly is: 'running'; readonly startedAtMs: number }
  | { readonly is: 'exited'; readonly exit: TaskExit }
  /** The task was never begun, and now cannot begin any more. */
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

/** A console that can be told to look again; `refresh` returns true when there are new lines. */
export interface RefreshableConsole extends ConsoleSource {
  readonly firstSeq: number
  refresh(): boolean
  /** The newest kept lines before a number. Reads what it needs and no more. */
  before(seq: number, limit: PageLimit): OlderPage
}

/**
 * Runs programs so that they outlive the agent. Everything above the drivers is written against this interface, and
 * tests/suites/runtime-driver.suite.ts holds each driver to it.
 */
export interface RuntimeDriver {
  readonly name: TaskHandle['driver']
  capabilities(): RuntimeCapabilities
  /** Undefined: programs see the node as the agent does. */
  place(kind: TaskHandle['kind']): ProgramPlace | undefined
  /**
   * Starts the task unless its id was ever started or given up before: one id runs at most once, whoever asks how often.
   * Rejects with an AgentError when the program cannot be started; then nothing runs.
   */
  start(spec: TaskSpec): Promise<TaskObservation>
  /** What is true now. A task that was recorded but not begun is made unable to begin. */
  recover(handle: TaskHandle, folders: ServerFolders): Promise<TaskObservation>
  /** Follows a running task. Returns how to stop following; the task goes on. */
  watch(handle: TaskHandle, folders: ServerFolders, watcher: TaskWatcher): Promise<() => void>
  /** Writes one line to the program's standard input. False when the program no longer reads. */
  writeLine(handle: TaskHandle, folders: ServerFolders, line: string): Promise<boolean>
  /** Sends the signal to the whole process group. A task that has ended is no error. */
  signal(handle: TaskHandle, folders: ServerFolders, signal: StopSignal): Promise<void>
  sample(handle: TaskHandle, folders: ServerFolders): Promise<TaskSample | undefined>
  openConsole(folders: ServerFolders): RefreshableConsole
  /** Adds lines of Bakter's own to the console of a server that runs no task. */
  note(folders: ServerFolders, notes: readonly NoteLine[]): Promise<void>
  /** Every task of the server that the driver still has records of, ended or not. */
  tasksOf(serverId: string, folders: ServerFolders): Promise<TaskHandle[]>
  /** Removes the driver's own records of a task that has ended. */
  forget(handle: TaskHandle, folders: ServerFolders): Promise<void>
  /** Removes all that the driver keeps of the server outside its folders. What still runs is ended. */
  removeServer(serverId: string): Promise<void>
  /** Lets go of everything without ending it. */
  close(): void
}
