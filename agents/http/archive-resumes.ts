import type { IncomingHttpHeaders } from 'node:http'
import type { ArchiveTokenClaims } from '#contracts/panel/token.ts'
import type { Clock } from '#platform/clock.ts'
import type { Ids } from '#platform/ids.ts'
import type { PackPlan } from '../archive/pack-folder.ts'
import { START, STORED_BLOCK_BYTES, storedOffset, type Checkpoint } from '../archive/stored-gzip.ts'

/** A checkpoint for each mebibyte, over more than what network and browser may have buffered. */
const BLOCKS_BETWEEN = 16
const MAX_CHECKPOINTS = 256
const MAX_BEGUN = 1_000
const SECRET_BYTES = 16

/** A download that began with a token, and where it can go on. */
export interface BegunDownload {
  readonly claims: ArchiveTokenClaims
  readonly plan: PackPlan
  readonly etag: string
  readonly untilMs: number
  /** Notes a place that was passed. */
  passed(at: Checkpoint): void
  /** The last known place before a byte of the response. Undefined if it is too long ago. */
  before(offset: number): Checkpoint | undefined
}

/** The first byte of a range without an end, the only kind that a resumed download asks for. */
const startOf = (range: string | undefined): number | undefined => {
  const text = /^bytes=(\d{1,15})-$/.exec(range ?? '')?.[1]
  return text === undefined ? undefined : Number(text)
}

/**
 * Downloads that were cut and can go on, although their token is used. Only the client that received the first response
 * knows its ETag: the token alone, which is in an address, opens nothing again. Kept in memory: after a restart of the
 * agent a download starts anew with a new token.
 */
export class ArchiveResumes {
  readonly #deps: { readonly clock: Clock; readonly ids: Pick<Ids, 'bytes'> }
  readonly #resumeMs: number
  readonly #begun = new Map<string, BegunDownload>()

  constructor(deps: { readonly clock: Clock; readonly ids: Pick<Ids, 'bytes'> }, resumeMs: number) {
    this.#deps = deps
    this.#resumeMs = resumeMs
  }

  begin(token: string, claims: ArchiveTokenClaims, plan: PackPlan): BegunDownload {
    const nowMs = this.#deps.clock.now()
    for (const [known, { untilMs }] of this.#begun) if (untilMs <= nowMs) this.#begun.delete(known)
    const [oldest] = this.#begun.keys()
    if (this.#begun.size >= MAX_BEGUN && oldest !== undefined) this.#begun.delete(oldest)
    const secret = Buffer.from(this.#deps.ids.bytes(SECRET_BYTES)).toString('base64url')
    let checkpoints = [START]
    const begun: BegunDownload = {
      claims,
      plan,
      etag: `"${plan.mark}-${secret}"`,
      untilMs: nowMs + this.#resumeMs,
      passed: (at) => {
        if (at.offset % (BLOCKS_BETWEEN * STORED_BLOCK_BYTES) !== 0) return
        checkpoints = [...checkpoints.filter(({ offset }) => offset < at.offset), at].slice(-MAX_CHECKPOINTS)
      },
      before: (offset) => checkpoints.findLast((checkpoint) => storedOffset(checkpoint) <= offset),
    }
    this.#begun.set(token, begun)
    return begun
  }

  /** The download that a request with `Range` and the right `If-Range` continues, and from which byte. */
  find(token: string, headers: IncomingHttpHeaders): { begun: BegunDownload; start: number } | undefined {
    const begun = this.#begun.get(token)
    const start = startOf(headers.range)
    if (begun === undefined || start === undefined) return undefined
    if (headers['if-range'] !== begun.etag || begun.untilMs <= this.#deps.clock.now()) return undefined
    return { begun, start }
  }

  end(token: string): void {
    this.#begun.delete(token)
  }

  forget(matches: (claims: ArchiveTokenClaims) => boolean): void {
    for (const [token, { claims }] of this.#begun) if (matches(claims)) this.#begun.delete(token)
  }
}
