import { createHash, type Hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AgentError } from '../platform/agent-error.ts'

/** The registry's digest of a tarball, in the format of subresource integrity. */
export interface Integrity {
  readonly algorithm: 'sha512' | 'sha1'
  readonly hex: string
}

export interface StoreLimits {
  readonly maxFileBytes: number
  readonly maxTotalBytes: number
}

/** The digest of a version's tarball in its packument; undefined if it has none that can be verified. */
export const integrityOf = (dist: {
  integrity?: string | undefined
  shasum?: string | undefined
}): Integrity | undefined => {
  const [, base64] = /(?:^|\s)sha512-([A-Za-z0-9+/]{86}==)/.exec(dist.integrity ?? '') ?? []
  if (base64 !== undefined) return { algorithm: 'sha512', hex: Buffer.from(base64, 'base64').toString('hex') }
  return /^[0-9a-f]{40}$/.test(dist.shasum ?? '') ? { algorithm: 'sha1', hex: dist.shasum ?? '' } : undefined
}

const refuse = (message: string): never => {
  throw new AgentError('PACKAGE_REFUSED', message, { retryable: true })
}

/**
 * Files named by their own digest: their content is correct, whoever requested it first. Only the agent can write here.
 * The least recently used files are removed when the store is full.
 */
export class ContentStore {
  readonly #folder: string
  readonly #limits: StoreLimits
  #temporary = 0

  constructor(folder: string, limits: StoreLimits) {
    this.#folder = folder
    this.#limits = limits
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const name of fs.readdirSync(folder).filter((entry) => entry.startsWith('.tmp-'))) fs.rmSync(this.#path(name))
  }

  /** The file with this content, or undefined. */
  find({ algorithm, hex }: Integrity, now: Date): string | undefined {
    const file = this.#path(`${algorithm}-${hex}`)
    if (!fs.existsSync(file)) return undefined
    fs.utimesSync(file, now, now)
    return file
  }

  /** Stores the stream if it matches the digest. Otherwise throws PACKAGE_REFUSED, and keeps nothing. */
  async write({ algorithm, hex }: Integrity, content: NodeJS.ReadableStream): Promise<string> {
    this.#temporary += 1
    const temporary = this.#path(`.tmp-${this.#temporary}`)
    const hash = createHash(algorithm)
    try {
      await pipeline(content, this.#measured(hash), fs.createWriteStream(temporary, { mode: 0o600 }))
      if (hash.digest('hex') !== hex) refuse('The registry sent a package whose digest is not the one it names.')
      const file = this.#path(`${algorithm}-${hex}`)
      fs.renameSync(temporary, file)
      this.#makeRoom()
      return file
    } finally {
      fs.rmSync(temporary, { force: true })
    }
  }

  #measured(hash: Hash): Transform {
    let bytes = 0
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        bytes += chunk.length
        hash.update(chunk)
        if (bytes > this.#limits.maxFileBytes) done(new AgentError('PACKAGE_REFUSED', 'The package is too large.'))
        else done(null, chunk)
      },
    })
  }

  #path(name: string): string {
    return path.join(this.#folder, name)
  }

  #makeRoom(): void {
    const files = fs
      .readdirSync(this.#folder)
      .filter((name) => !name.startsWith('.tmp-'))
      .map((name) => ({ name, ...fs.statSync(this.#path(name)) }))
      .sort((a, b) => a.mtimeMs - b.mtimeMs)
    let total = files.reduce((sum, { size }) => sum + size, 0)
    for (const { name, size } of files) {
      if (total <= this.#limits.maxTotalBytes) return
      fs.rmSync(this.#path(name), { force: true })
      total -= size
    }
  }
}
