import * as z from 'zod'
import { LONGEST_TOKEN_SECONDS, TOKEN_SKEW_SECONDS, type ConsoleTokenClaims } from '#contracts/panel/token.ts'
import type { Clock } from '#platform/clock.ts'
import type { Disk } from '../platform/disk.ts'

const Revocation = z.object({
  serverId: z.string().nullable(),
  sessionId: z.string().nullable().default(null),
  userId: z.string().nullable(),
  issuedBeforeMs: z.number(),
})
/** Matching tokens from before this time are invalid. Null matches everything. */
export type Revocation = z.infer<typeof Revocation>
const RevocationFile = z.object({ version: z.literal(1), revocations: z.array(Revocation) })

/** Every valid token is younger than this. */
const KEPT_MS = (LONGEST_TOKEN_SECONDS + 2 * TOKEN_SKEW_SECONDS) * 1_000

/** Revocations by the control plane, kept across restarts until all affected tokens have expired. */
export class Revocations {
  readonly #disk: Disk
  readonly #file: string
  readonly #clock: Clock
  #known: readonly Revocation[]

  constructor(disk: Disk, file: string, clock: Clock) {
    this.#disk = disk
    this.#file = file
    this.#clock = clock
    this.#known = this.#load()
  }

  /** In force when it returns; a full disk costs only the memory across a restart. */
  add(revocation: Revocation): void {
    const oldestMs = this.#clock.now() - KEPT_MS
    const others = this.#known.filter(
      ({ serverId, sessionId, userId, issuedBeforeMs }) =>
        issuedBeforeMs > oldestMs &&
        (serverId !== revocation.serverId || sessionId !== revocation.sessionId || userId !== revocation.userId),
    )
    const before = this.#known.find((known) => !others.includes(known) && known.issuedBeforeMs > oldestMs)
    const issuedBeforeMs = Math.max(revocation.issuedBeforeMs, before?.issuedBeforeMs ?? 0)
    this.#known = [...others, { ...revocation, issuedBeforeMs }]
    try {
      this.#disk.writeAtomically(this.#file, JSON.stringify({ version: 1, revocations: this.#known }))
    } catch {
      // It stays in force while the agent runs.
    }
  }

  covers(claims: Pick<ConsoleTokenClaims, 'server' | 'sub' | 'seen' | 'iat' | 'sid'>): boolean {
    return this.#known.some(
      ({ serverId, sessionId, userId, issuedBeforeMs }) =>
        (serverId === null || serverId === claims.server) &&
        // A reader who looks as a collaborator has the permissions of that share, but not that person's sessions.
        (userId === null || userId === claims.sub || (serverId !== null && userId === claims.seen)) &&
        // An ended session never becomes active again, so the age of its tokens does not matter.
        (sessionId === null ? claims.iat * 1_000 < issuedBeforeMs : sessionId === claims.sid),
    )
  }

  #load(): readonly Revocation[] {
    try {
      return RevocationFile.parse(JSON.parse(this.#disk.read(this.#file) ?? '')).revocations
    } catch {
      // None yet, or damaged: tokens expire within minutes.
      return []
    }
  }
}
