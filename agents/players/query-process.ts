import { fork, type ChildProcess } from 'node:child_process'
import { PlayersSeen, type PlayersCount } from '#contracts/panel/players.ts'
import type { QueryQuestion } from './question.ts'

const MEMORY = ['--max-old-space-size=64', '--max-semi-space-size=1']
const ANSWER_MS = 6_000
const IDLE_MS = 10_000

/**
 * The process that asks games for their players, while there is something to ask. Games are hostile: one that hangs the
 * process or fills its memory costs its own answer and the time of those that wait here, because each question is asked alone and the process replaced.
 */
export class QueryProcess {
  readonly #program: string
  #child: ChildProcess | undefined
  #idle: NodeJS.Timeout | undefined
  #last: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(program: string) {
    this.#program = program
  }

  /** The present process, for tests and figures. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** After all earlier questions. Null if the game does not answer; never rejects. */
  ask(question: QueryQuestion): Promise<PlayersCount | null> {
    const answer = this.#last.then(() => (this.#isClosed ? null : this.#askAlone(question)))
    this.#last = answer
    return answer
  }

  close(): void {
    this.#isClosed = true
    this.#end()
  }

  #askAlone(question: QueryQuestion): Promise<PlayersCount | null> {
    clearTimeout(this.#idle)
    const child = this.#child ?? this.#start()
    return new Promise((resolve) => {
      const settle = (answer: PlayersCount | null, isUsable: boolean): void => {
        clearTimeout(timer)
        child.off('message', onMessage)
        child.off('exit', onEnd)
        child.off('error', onEnd)
        if (!isUsable) this.#end()
        this.#idle = setTimeout(() => this.#end(), IDLE_MS)
        this.#idle.unref()
        resolve(answer)
      }
      const onMessage = (raw: unknown): void => {
        const parsed = PlayersSeen.safeParse(
          typeof raw === 'object' && raw !== null ? { state: 'answered', ...raw } : raw,
        )
        settle(parsed.success && parsed.data.state === 'answered' ? parsed.data : null, true)
      }
      const onEnd = (): void => settle(null, false)
      const timer = setTimeout(onEnd, ANSWER_MS)
      child.on('message', onMessage)
      child.on('exit', onEnd)
      child.on('error', onEnd)
      child.send(question, (error) => {
        if (error !== null) onEnd()
      })
    })
  }

  #start(): ChildProcess {
    // Without our environment: no setting or secret of the agent reaches it.
    const child = fork(this.#program, [], {
      execArgv: MEMORY,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { NODE_ENV: 'production' },
    })
    child.on('error', () => {})
    this.#child = child
    return child
  }

  #end(): void {
    clearTimeout(this.#idle)
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }
}
