import { endSteps } from './step-processes.mjs'

// The agent ends its servers by their chain first; the others drain within 30 s.
const STOP_WITHIN_MS = { agent: 90_000, site: 35_000, 'control-plane': 35_000 }

/** npm passes on the Ctrl-C that the terminal has sent to all already: what comes this close is one press. */
const SAME_PRESS_MS = 1_000
const LOOK_FOR_NPM_MS = 1_000
/** How long the agent has to kill its servers when everything is forced. */
const FORCE_WITHIN_MS = 5_000

/** Takes everything down in the opposite order of its start: at the first signal in order, at the second at once. */
export class Shutdown {
  /** What undoes the steps so far, the newest first. Each may return a promise. */
  undo = []
  /** The programs that were started, the newest first. */
  programs = []
  #signals = 0
  #lastSignalAt = -Infinity
  #samePressMs
  #stopped

  constructor({ samePressMs = SAME_PRESS_MS } = {}) {
    this.#samePressMs = samePressMs
  }

  /** True once a signal asked for the end: nothing more is started then. */
  get asked() {
    return this.#signals > 0
  }

  listen() {
    // Whoever reads what is said may go first (a pipe, a terminal that is closed): that does not end the work.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void this.#onSignal())
    if (process.env.npm_lifecycle_event !== undefined) this.#endWithNpm()
  }

  /** npm that is killed passes nothing on; its end shows only in that this process gets another parent. */
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
    // The agent still needs the control plane while it stops its servers.
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
