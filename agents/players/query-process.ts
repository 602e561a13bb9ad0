import { fork, type ChildProcess } from 'node:child_process'
import { PlayersSeen, type PlayersCount } from '#contracts/panel/players.ts'
import { steadyNow } from '#platform/clock.ts'
import { systemTimers, type Timers } from '../platform/timers.ts'
import type { QueryQuestion } from './question.ts'

const MEMORY = ['--max-old-space-size=64', '--max-semi-space-size=1']
/** A loaded node starts a process slowly, and no game is to blame for it. */
const START_MS = 30_000
const ANSWER_MS = 6_000
const IDLE_MS = 10_000

/** A game's answer, null without anything usable in it, and the time for which the game kept the process busy. */
export interface QueryAnswer {
  readonly players: PlayersCount | null
  readonly usedMs: number
}

export interface QueryTime {
  readonly timers: Pick<Timers, 'after'>
  /** Milliseconds of a clock that only runs forward. */
  now(): number
}

interface Program {
  readonly child: ChildProcess
  /** Resolves with the program's first message, or with false if it ends before, or never says anything. */
  readonly isStarted: Promise<boolean>
}

const SYSTEM_TIME: QueryTime = { timers: systemTimers, now: steadyNow }

/**
 * The process that asks games for their players, while there is something to ask. Games are hostile: one that hangs the
 * process or fills its memory costs its own answer and the time of those that wait here, because each question is asked
 * alone and the process replaced.
 */
export class QueryProcess {
  readonly #program: string
  readonly #time: QueryTime
  #running: Program | undefined
  #cancelIdle: () => void = () => {}
  #last: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(program: string, time = SYSTEM_TIME) {
    this.#program = program
    this.#time = time
  }

  /** The present process, for tests and figures. */
  get pid(): number | undefined {
    return this.#running?.child.pid
  }

  /** After all earlier questions. Rejects if the process does not start: nothing is known of the game then. */
  ask(question: QueryQuestion): Promise<QueryAnswer> {
    const answer = this.#last.then(() => this.#askAlone(question))
    this.#last = answer.catch(() => {})
    return answer
  }

  close(): void {
    this.#isClosed = true
    this.#end()
  }

  async #askAlone(question: QueryQuestion): Promise<QueryAnswer> {
    this.#cancelIdle()
    const program = this.#isClosed ? undefined : (this.#running ?? this.#start())
    const isStarted = await program?.isStarted
    if (this.#isClosed || program === undefined) return { players: null, usedMs: 0 }
    if (isStarted !== true) {
      this.#end()
      throw new Error('The process that asks games does not start.')
    }
    const beganAtMs = this.#time.now()
    const said = await this.#say(program.child, question)
    const usedMs = this.#time.now() - beganAtMs
    if (said === undefined) this.#end()
    if (!this.#isClosed) this.#cancelIdle = this.#time.timers.after(IDLE_MS, () => this.#end())
    const parsed = PlayersSeen.safeParse(
      typeof said === 'object' && said !== null ? { state: 'answered', ...said } : said,
    )
    return { players: parsed.success && parsed.data.state === 'answered' ? parsed.data : null, usedMs }
  }

  /** The process's next message; undefined if it ends or hangs. */
  #say(child: ChildProcess, question: QueryQuestion): Promise<unknown> {
    return new Promise((resolve) => {
      const settle = (said: unknown): void => {
        cancel()
        child.off('message', settle)
        child.off('exit', onEnd)
        resolve(said)
      }
      const onEnd = (): void => settle(undefined)
      const cancel = this.#time.timers.after(ANSWER_MS, onEnd)
      child.on('message', settle)
      child.on('exit', onEnd)
      child.send(question, (error) => {
        if (error !== null) onEnd()
      })
    })
  }

  #start(): Program {
    // Without our environment: no setting or secret of the agent reaches it.
    const child = fork(this.#program, [], {
      execArgv: MEMORY,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { NODE_ENV: 'production' },
    })
    const isStarted = new Promise<boolean>((resolve) => {
      const settle = (started: boolean): void => {
        cancel()
        resolve(started)
      }
      const cancel = this.#time.timers.after(START_MS, () => settle(false))
      child.once('message', () => settle(true))
      child.once('exit', () => settle(false))
      child.on('error', () => settle(false))
    })
    const program: Program = { child, isStarted }
    // One that ended between two questions would cost the next one.
    child.once('exit', () => {
      if (this.#running === program) this.#running = undefined
    })
    this.#running = program
    return program
  }

  #end(): void {
    this.#cancelIdle()
    this.#running?.child.kill('SIGKILL')
    this.#running = undefined
  }
}
