import type { KeyObject } from 'node:crypto'
import type * as z from 'zod'
import type { Clock } from '#platform/clock.ts'
import { parseJson } from '../platform/parse-json.ts'
import { DirectoryError, retryAtOf } from './directory-error.ts'
import { signedBody } from './jws.ts'
import type { AcmeAnswer, AcmeNetwork } from './network.ts'
import { isLoopback } from './settings.ts'
import { Directory, Problem } from './wire.ts'

const PROBLEM_PREFIX = 'urn:ietf:params:acme:error:'
/** A nonce can be used or expired by accident; beyond this it is the authority's fault. */
const MOST_NONCES = 4
const MAX_DETAIL = 300

export interface AcmeClientDeps {
  readonly network: AcmeNetwork
  readonly clock: Clock
  readonly directory: string
}

/** The authority's own message, shortened to one line. */
export const detailOf = ({ detail, subproblems }: Problem): string =>
  [detail, ...subproblems.map((each) => each.detail)]
    .filter((text) => text !== '')
    .join(' ')
    .replace(/\s+/g, ' ')
    .slice(0, MAX_DETAIL)

/**
 * A session with an authority: its directory, its nonces and signed requests (RFC 8555 section 6). Only a refused nonce
 * is retried; the caller decides about further attempts. Any response but 200 rejects with DirectoryError.
 */
export class AcmeClient {
  readonly #deps: AcmeClientDeps
  #directory: Directory | undefined
  #nonce: string | undefined

  constructor(deps: AcmeClientDeps) {
    this.#deps = deps
  }

  get host(): string {
    return new URL(this.#deps.directory).host
  }

  async directory(): Promise<Directory> {
    this.#directory ??= await this.get(this.#deps.directory, Directory)
    return this.#directory
  }

  /** An unsigned request: for the directory and the renewal time. */
  async get<T>(url: string, schema: z.ZodType<T>): Promise<T> {
    return this.read(await this.#ask('GET', url), schema)
  }

  /**
   * Signs `payload` with the account's key; undefined makes a POST-as-GET. `account` undefined: the JWS contains the
   * key itself.
   */
  async post(
    signer: { readonly key: KeyObject; readonly account: string | undefined },
    url: string,
    payload?: object,
  ): Promise<AcmeAnswer> {
    for (let attempt = 1; ; attempt += 1) {
      const nonce = this.#nonce ?? (await this.#newNonce())
      this.#nonce = undefined
      const body = await signedBody(signer.key, { url, nonce, account: signer.account }, payload)
      try {
        return await this.#ask('POST', url, body)
      } catch (error) {
        const isNonce = error instanceof DirectoryError && error.problem === 'badNonce'
        if (!isNonce || attempt === MOST_NONCES) throw error
      }
    }
  }

  /** The parsed body of a response; DirectoryError if it violates RFC 8555. */
  read<T>(answer: AcmeAnswer, schema: z.ZodType<T>): T {
    const value = parseJson(schema, answer.body)
    if (value === undefined) throw new DirectoryError(`The authority at ${this.host} gives an answer that is no ACME.`)
    return value
  }

  async #newNonce(): Promise<string> {
    const { newNonce } = await this.directory()
    await this.#ask('HEAD', newNonce)
    if (this.#nonce === undefined) throw new DirectoryError(`The authority at ${this.host} gives no nonce.`)
    return this.#nonce
  }

  async #ask(method: 'GET' | 'HEAD' | 'POST', url: string, body?: string): Promise<AcmeAnswer> {
    this.#refuseUnsafe(url)
    const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/jose+json' }
    const answer = await this.#deps.network({ method, url, headers, ...(body === undefined ? {} : { body }) })
    // A refused request also returns a fresh nonce (section 6.5).
    this.#nonce = answer.headers['replay-nonce'] ?? this.#nonce
    if (answer.status >= 200 && answer.status < 300) return answer
    throw this.#refusal(answer)
  }

  #refusal(answer: AcmeAnswer): DirectoryError {
    const problem = parseJson(Problem, answer.body)
    const name = problem?.type.startsWith(PROBLEM_PREFIX) ? problem.type.slice(PROBLEM_PREFIX.length) : undefined
    const words = problem === undefined ? '' : detailOf(problem)
    const said = [name, words].filter((text) => text !== undefined && text !== '').join(': ')
    return new DirectoryError(
      `The authority at ${this.host} refuses (status ${answer.status})${said === '' ? '.' : `: ${said}`}`,
      { problem: name, retryAtMs: retryAtOf(answer.headers['retry-after'], this.#deps.clock.now()) },
    )
  }

  /** Responses name further addresses; signed requests must never be sent to one without encryption. */
  #refuseUnsafe(url: string): void {
    const { protocol } = new URL(url)
    if (protocol === 'https:') return
    const isHere = new URL(this.#deps.directory).protocol === 'http:' && isLoopback(new URL(url))
    if (protocol === 'http:' && isHere) return
    throw new DirectoryError(`The authority at ${this.host} names an address that is not https.`)
  }
}
