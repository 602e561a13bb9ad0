import type { LoginAnswer, LoginRequest, OpenLogin } from '#contracts/logins/node-login.ts'
import type { FromAgent, ToAgent } from '#contracts/agent/session.ts'
import type { IdSource } from '#platform/ids.ts'
import type { Timers } from '../platform/timers.ts'

const AWAY: LoginAnswer = { ok: false, why: 'away' }
/** Longer than the control plane waits for the site. */
const WAIT_MS = 12_000
const MAX_OPEN = 200

type Question = Extract<FromAgent, { type: 'login' | 'logins' }>
type Answer = Extract<ToAgent, { type: 'login' | 'logins' }>

interface LoginQuestionDeps {
  readonly timers: Timers
  readonly ids: IdSource
  /** False when there is no connection, or the control plane does not know these messages. */
  send(question: Question): boolean
}

/** Questions about people to the control plane, and their answers by number. */
export class LoginQuestions {
  readonly #deps: LoginQuestionDeps
  readonly #open = new Map<string, (answer: Answer | undefined) => void>()

  constructor(deps: LoginQuestionDeps) {
    this.#deps = deps
  }

  /** Asks the control plane who signs in here; answers `away` when it does not reply. */
  async login(request: LoginRequest): Promise<LoginAnswer> {
    const answer = await this.#ask((id) => ({ type: 'login', id, request }))
    return answer?.type === 'login' ? answer.answer : AWAY
  }

  /** The present permissions of open connections, in their order; undefined without an answer. */
  async check(open: readonly OpenLogin[]): Promise<readonly (readonly string[] | null)[] | undefined> {
    const answer = await this.#ask((id) => ({ type: 'logins', id, open: [...open] }))
    return answer?.type === 'logins' && answer.permissions.length === open.length ? answer.permissions : undefined
  }

  answered(answer: Answer): void {
    this.#open.get(answer.id)?.(answer)
  }

  /** The connection is lost: nobody answers any more. */
  lost(): void {
    for (const settle of this.#open.values()) settle(undefined)
  }

  #ask(questionOf: (id: string) => Question): Promise<Answer | undefined> {
    const id = this.#deps.ids.next()
    return new Promise((resolve) => {
      if (this.#open.size >= MAX_OPEN || !this.#deps.send(questionOf(id))) return resolve(undefined)
      const cancel = this.#deps.timers.after(WAIT_MS, () => this.#open.get(id)?.(undefined))
      return this.#open.set(id, (answer) => {
        cancel()
        this.#open.delete(id)
        resolve(answer)
      })
    })
  }
}
