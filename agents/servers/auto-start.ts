import { STORAGE_EXCEEDED } from '#contracts/agent/session.ts'
import { noteLine } from '../console/notes.ts'
import { restartDelayMs } from './crash-policy.ts'
import { happened } from './happened.ts'
import { refusal } from './power.ts'
import type { ServerCore } from './server-core.ts'
import type { StartGate } from './start-gate.ts'
import type { CommandResult, ServerState, Work } from './state-file.ts'

/** A server that is still starting after this time is reported: its done text may be wrong. */
export const SLOW_START_MS = 5 * 60_000
/** A start that the disk refused is retried after this time. */
export const FULL_DISK_AGAIN_MS = 30_000

type Start = (work: Work, byItself: boolean) => Promise<CommandResult>

/**
 * Starts of one server without a waiting person: after a crash, after a restart of the machine, and paced ones of the
 * control plane. All of them queue at the node's gate. Also reports a start that takes too long.
 */
export class AutoStart {
  readonly #core: ServerCore
  readonly #gate: StartGate
  readonly #start: Start
  #cancel: () => void = () => {}
  /** Leaves the queue at the gate silently. */
  #leave: () => void = () => {}
  #cancelTimer: () => void = () => {}
  #release: () => void = () => {}
  #cancelNotice: () => void = () => {}

  constructor(core: ServerCore, gate: StartGate, start: Start) {
    this.#core = core
    this.#gate = gate
    this.#start = start
  }

  /** Cancels a start that has not begun. */
  cancel(): void {
    this.#cancelTimer()
    this.#cancel()
    this.#cancel = () => {}
  }

  /** The agent is shutting down: queued starts are not answered, so that the next agent gets them again. */
  detach(): void {
    this.#leave()
    this.#cancelTimer()
    this.#cancel = () => {}
    this.#cancelNotice()
    this.#release()
  }

  /** Starts the server at the time in its record. */
  schedule(): void {
    const { restartAtMs, state } = this.#core.record
    if (restartAtMs === null || (state !== 'crashed' && state !== 'startup_failed' && state !== 'offline')) return
    this.cancel()
    const { timers, clock, log } = this.#core.deps
    this.#cancelTimer = timers.after(restartDelayMs(restartAtMs, clock.now()), () => {
      this.#enter((release) => {
        void this.#startIfDue(release).catch((error: unknown) => {
          log.error({ err: error, serverId: this.#core.id }, 'the server could not be started again')
        })
      })
    })
  }

  /** Carries out a start of the control plane in turn. Resolves with its result. */
  inTurn(work: Work): Promise<CommandResult> {
    this.cancel()
    return new Promise((resolve, reject) => {
      let begun = false
      const leave = this.#enter((release) => {
        begun = true
        this.#beginWith(release, work, false).then(resolve, reject)
      })
      // Its turn may have come at once: from then on it is an ordinary action.
      if (begun) return
      this.#cancel = () => {
        leave()
        const result = refusal('SUPERSEDED')
        this.#core.finish(work.commandId, result, { work: this.#core.record.work })
        resolve(result)
      }
    })
  }

  moved(state: ServerState): void {
    this.#cancelNotice()
    if (state === 'starting') this.#watchStart()
    else this.#release()
  }

  #enter(begin: (release: () => void) => void): () => void {
    let begun = false
    const leaveGate = this.#gate.enter((release) => {
      begun = true
      this.#cancel = () => {}
      this.#leave = () => {}
      begin(release)
    })
    if (begun) return leaveGate
    this.#cancel = leaveGate
    this.#leave = leaveGate
    return leaveGate
  }

  async #startIfDue(release: () => void): Promise<void> {
    const core = this.#core
    const { spec, fencedAt } = core.record
    const isOver = spec?.expiresAtMs !== undefined && spec.expiresAtMs <= core.deps.clock.now()
    // A switch of automatic start to off before the time of a start applies to that start too.
    if (spec === null || spec.suspended || spec.autoStart === false || fencedAt !== null || isOver) {
      core.save({ restartAtMs: null })
      release()
      return
    }
    const { code } = await this.#beginWith(release, { commandId: null, requestId: null, kind: 'start', step: 0 }, true)
    // The disk may have space again before anybody checks the server.
    // Only its owner makes room in its own storage.
    if (code === STORAGE_EXCEEDED) core.save({ restartAtMs: null })
    if (code === 'DISK_FULL') this.#cancelTimer = core.deps.timers.after(FULL_DISK_AGAIN_MS, () => this.schedule())
  }

  async #beginWith(release: () => void, work: Work, byItself: boolean): Promise<CommandResult> {
    this.#release = release
    try {
      return await this.#start(work, byItself)
    } finally {
      if (this.#core.record.state !== 'starting') release()
    }
  }

  #watchStart(): void {
    const { since, slowStartTold } = this.#core.record
    if (slowStartTold) return
    const { timers, clock } = this.#core.deps
    const leftMs = Math.min(SLOW_START_MS, Math.max(0, since + SLOW_START_MS - clock.now()))
    this.#cancelNotice = timers.after(leftMs, () => this.#tellSlowStart())
  }

  #tellSlowStart(): void {
    const core = this.#core
    if (core.record.state !== 'starting') return
    core.save({ slowStartTold: true })
    const note = noteLine({ code: 'slow-start', params: { minutes: SLOW_START_MS / 60_000 } })
    core.tell(note)
    happened(core, { type: 'server:start-slow', notes: [note] })
  }
}
