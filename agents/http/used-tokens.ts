import * as z from 'zod'
import { TOKEN_SKEW_SECONDS, type ArchiveTokenClaims } from '#contracts/panel/token.ts'
import type { Clock } from '#platform/clock.ts'
import type { Disk } from '../platform/disk.ts'

const Used = z.object({ jti: z.string(), exp: z.number() })
const UsedFile = z.object({ version: z.literal(1), used: z.array(Used) })

/** Used single-use tokens, kept across restarts until all have expired. */
export class UsedTokens {
  readonly #disk: Disk
  readonly #file: string
  readonly #clock: Clock
  #known: readonly z.infer<typeof Used>[]

  constructor(disk: Disk, file: string, clock: Clock) {
    this.#disk = disk
    this.#file = file
    this.#clock = clock
    this.#known = this.#load()
  }

  has({ jti }: Pick<ArchiveTokenClaims, 'jti'>): boolean {
    return this.#known.some((used) => used.jti === jti)
  }

  /** In force when it returns; a full disk costs only the memory across a restart. */
  add({ jti, exp }: Pick<ArchiveTokenClaims, 'jti' | 'exp'>): void {
    const oldest = this.#clock.now() / 1_000 - 2 * TOKEN_SKEW_SECONDS
    this.#known = [...this.#known.filter((used) => used.exp > oldest), { jti, exp }]
    try {
      this.#disk.writeAtomically(this.#file, JSON.stringify({ version: 1, used: this.#known }))
    } catch {
      // It stays in force while the agent runs.
    }
  }

  #load(): readonly z.infer<typeof Used>[] {
    try {
      return UsedFile.parse(JSON.parse(this.#disk.read(this.#file) ?? '')).used
    } catch {
      // None yet, or damaged: tokens expire within minutes.
      return []
    }
  }
}
