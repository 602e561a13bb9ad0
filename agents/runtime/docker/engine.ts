import type Docker from 'dockerode'

import { AgentError } from '../../platform/agent-error.ts'
import type { Timers } from '../../platform/timers.ts'
import { CallQueue } from './call-queue.ts'
import { refusalOf, refuseVersion, valueOf, type EngineAnswer } from './engine-answer.ts'

export interface EngineSettings {
  /** The engine's unix socket. */
  readonly socketPath: string
  /** The default time-out of a call. */
  readonly timeoutMs: number
  readonly maxRunning: number
  readonly maxWaiting: number
}

export const ENGINE_DEFAULTS = {
  socketPath: '/var/run/docker.sock',
  timeoutMs: 15_000,
  maxRunning: 16,
  maxWaiting: 512,
} as const satisfies EngineSettings

export interface EngineVersion {
  /** For example `20.10.24`. */
  readonly engine: string
  /** For example `1.41`. */
  readonly api: string
}

/** A call to Docker's client. Its requests are bound to the call's time-out. */
export type EngineAction<T> = (docker: Docker) => Promise<T>

/** How long a stream lives, and the time-out of its opening. */
export interface StreamLife {
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

interface Dialler {
  dial(options: object, callback: unknown): void
}

/**
 * The one door to Docker. No call waits for ever and no call throws: a hang or a missing engine is the result
 * `UNREACHABLE`. The engine may still carry out a timed-out call later, so the caller checks before it repeats.
 */
export class DockerEngine {
  private readonly settings: EngineSettings
  private readonly timers: Timers
  private readonly queue: CallQueue

  constructor(settings: EngineSettings, timers: Timers) {
    this.settings = settings
    this.timers = timers
    this.queue = new CallQueue({ running: settings.maxRunning, waiting: settings.maxWaiting })
  }

  /** Running and waiting calls. */
  load(): { readonly running: number; readonly waiting: number } {
    return this.queue.size()
  }

  /**
   * Calls the engine. `what` completes the sentence "Docker did not …". The time-out includes waiting for a free place;
   * `timeoutMs` is for calls that are known to be slow, such as a stop.
   */
  async ask<T>(what: string, action: EngineAction<T>, timeoutMs = this.settings.timeoutMs): Promise<EngineAnswer<T>> {
    return this.bounded(what, timeoutMs, (signal) => this.run(what, action, signal))
  }

  /** Like `ask`, for callers that need the result: throws the AgentError of `valueOf`. */
  async get<T>(what: string, action: EngineAction<T>, timeoutMs?: number): Promise<T> {
    return valueOf(await this.ask(what, action, timeoutMs), what)
  }

  /**
   * Opens a stream (attach, events, pull): only its opening has a time-out. It does not occupy a place in the queue,
   * and ends when `life` is aborted.
   */
  async open<T>(what: string, action: EngineAction<T>, life: StreamLife | AbortSignal): Promise<EngineAnswer<T>> {
    const { signal: end, timeoutMs } = life instanceof AbortSignal ? { signal: life, timeoutMs: undefined } : life
    return this.bounded(what, timeoutMs ?? this.settings.timeoutMs, (signal) =>
      this.run(what, action, AbortSignal.any([signal, end])),
    )
  }

  /** The engine's version. Throws an AgentError with one sentence when it is too old or does not respond. */
  async version(): Promise<EngineVersion> {
    const told = await this.get('tell its version', (docker) => docker.version())
    const refusal = refuseVersion(told.ApiVersion, told.Version)
    if (refusal !== undefined) throw new AgentError('RUNTIME_REFUSED', refusal)
    return { engine: told.Version, api: told.ApiVersion }
  }

  private async bounded<T>(
    what: string,
    timeoutMs: number,
    action: (signal: AbortSignal) => Promise<EngineAnswer<T>>,
  ): Promise<EngineAnswer<T>> {
    const abort = new AbortController()
    let cancel = (): void => {}
    const late = new Promise<EngineAnswer<T>>((resolve) => {
      cancel = this.timers.after(timeoutMs, () => {
        resolve({ ok: false, code: 'UNREACHABLE', message: `no answer to "${what}" within ${timeoutMs} ms` })
        abort.abort()
      })
    })
    try {
      return await Promise.race([late, action(abort.signal)])
    } finally {
      cancel()
    }
  }

  private async run<T>(what: string, action: EngineAction<T>, signal: AbortSignal): Promise<EngineAnswer<T>> {
    const leave = await this.queue.enter(signal)
    if (leave === undefined) {
      return { ok: false, code: 'UNREACHABLE', message: `too many calls wait for Docker to "${what}"` }
    }
    try {
      // A request that ignores its signal must still release its place.
      const aborted = new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('the call was given up')), { once: true })
      })
      const answered = this.clientBoundTo(signal).then(action)
      return { ok: true, value: await Promise.race([answered, aborted]) }
    } catch (error) {
      return refusalOf(error)
    } finally {
      leave()
    }
  }

  /** A client whose requests all end with the signal, even where its methods do not take one. */
  private async clientBoundTo(signal: AbortSignal): Promise<Docker> {
    // Docker's client takes a quarter of the agent's memory, so nodes without containers do not load it.
    const { default: Client } = await import('dockerode')
    const docker = new Client({ socketPath: this.settings.socketPath })
    const modem: Dialler = docker.modem
    const dial = modem.dial.bind(modem)
    modem.dial = (options, callback) => dial({ ...options, abortSignal: signal }, callback)
    return docker
  }
}

/** Opens the engine and verifies that it responds and is new enough; throws the AgentError of `version`. */
export const openEngine = async (
  settings: Partial<EngineSettings>,
  timers: Timers,
): Promise<{ readonly engine: DockerEngine; readonly version: EngineVersion }> => {
  const engine = new DockerEngine({ ...ENGINE_DEFAULTS, ...settings }, timers)
  return { engine, version: await engine.version() }
}
