import { endSteps } from './step-processes.mjs'

// The agent first ends its servers by their stop chains; the others drain within 30 s.
const STOP_WITHIN_MS = { agent: 90_000, site: 35_000, 'control-plane': 35_000 }

/** npm forwards a Ctrl-C that the terminal has already sent to all: within this time they are one press. */
const SAME_PRESS_MS = 1_000
const LOOK_FOR_NPM_MS = 1_000
/** How long the agent has to kill its servers in a forced shutdown. */
const FORCE_WITHIN_MS = 5_000

/** Stops everything in reverse order of its start: properly at the first signal, at once at the second. */
export class Shutdown {
  /** The stop functions of the steps so far, newest first. Each may return a promise. */
  undo = []
  /** The started programs, newest first. */
  programs = []
  #signals = 0
  #lastSignalAt = -Infinity
  #samePressMs
  #stopped

  constructor({ samePressMs = SAME_PRESS_MS } = {}) {
    this.#samePressMs = samePressMs
  }

  /** True after a stop signal: nothing more is started. */
  get asked() {
    return this.#signals > 0
  }

  listen() {
    // The reader of the output may be gone (a pipe, a closed terminal), which does not end the work.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void this.#onSignal())
    if (process.env.npm_lifecycle_event !== undefined) this.#endWithNpm()
  }

  /** A killed npm forwards nothing; its end shows only in this process's new parent. */
  #endWithNpm() {
    const npm = process.ppid
    const look = setInterval(() => {
      if (process.ppid === npm) return
      clearInterval(look)
      if (!this.asked) void this.#onSignal()
    }, LOOK_FOR_NPM_MS)
    look.unref()
  }

  stop() {
    this.#stopped ??= this.#inOrder()
    return this.#stopped
  }

  async #inOrder() {
    await endSteps()
    // The agent needs the control plane while it stops its servers.
    for (const program of this.programs.filter(({ name }) => name === 'agent')) await program.stop(STOP_WITHIN_MS.agent)
    await Promise.all(this.programs.map((program) => program.stop(STOP_WITHIN_MS[program.name])))
    for (const step of this.undo) await step()
  }

  async #onSignal() {
    const now = performance.now()
    if (now - this.#lastSignalAt < this.#samePressMs) return
    this.#lastSignalAt = now
    this.#signals += 1
    if (this.#signals === 1) {
      const order = 'Stopping: the servers first, then the programs, then the database. Ctrl-C again forces it.'
      console.log(`\n${this.programs.length > 0 ? order : 'Stopping.'}`)
      await this.stop()
      process.exit(0)
    }
    if (this.#signals > 2) return
    console.log('Forced.')
    await Promise.all(this.programs.map((program) => program.force(program.name === 'agent' ? FORCE_WITHIN_MS : 0)))
    for (const step of this.undo) await step()
    process.exit(1)
  }
}
