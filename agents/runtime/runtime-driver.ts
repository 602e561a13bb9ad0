import type { StopSignal } from '#contracts/agent/stop-method.ts'
import type { ConsoleSource, OlderPage } from '../console/history-reader.ts'
import type { PageLimit } from '../console/segment-search.ts'
import type { TaskExit, TaskHandle } from './task-handle.ts'

export { STOP_SIGNALS, type StopSignal } from '#contracts/agent/stop-method.ts'

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
  readonly limits: { readonly memoryMiB: number; readonly cpuPercent: number; readonly pids: number }
  /** The user the server's files belong to. */
  readonly uid: number
  /** An installation is ended with SIGKILL after this time, also when no agent is there to watch. */
  readonly timeoutMs: number | null
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
  note(folders: ServerFolders, texts: readonly string[]): Promise<void>
  /** Every task of the server that the driver still has records of, ended or not. */
  tasksOf(serverId: string, folders: ServerFolders): Promise<TaskHandle[]>
  /** Removes the driver's own records of a task that has ended. */
  forget(handle: TaskHandle, folders: ServerFolders): Promise<void>
}
