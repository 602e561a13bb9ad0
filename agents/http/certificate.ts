import { X509Certificate, createPrivateKey } from 'node:crypto'
import fs from 'node:fs'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/logger.ts'
import type { Timers } from '../platform/timers.ts'

const LOOK_EVERY_MS = 5_000
const WARN_BEFORE_MS = 14 * 24 * 3_600_000
const WARN_EVERY_MS = 24 * 3_600_000

export interface CertificateFiles {
  readonly certificate: string
  readonly key: string
}

export interface KeyPair {
  readonly cert: string
  readonly key: string
}

export type CertificateAlarm = 'certificate-ends' | 'certificate-unreadable'

export interface CertificateDeps {
  readonly files: CertificateFiles
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Log
  /** A new pair is on disk and fits together. */
  changed(pair: KeyPair): void
  alarm(kind: CertificateAlarm, detail: string): void
}

interface Loaded {
  readonly pair: KeyPair
  readonly endsAtMs: number
}

/**
 * The certificate and key of the public listener, from files that another program renews. New files are taken within
 * seconds and without a restart; a pair that does not fit is refused and the old one stays (fault 29: no downgrade).
 */
export class Certificate {
  readonly #deps: CertificateDeps
  #loaded: Loaded
  #seen: string
  #warnedAtMs = Number.NEGATIVE_INFINITY
  #cancel: () => void = () => {}

  /** Throws one sentence when the files cannot be used: an agent that is told to serve TLS never serves without. */
  constructor(deps: CertificateDeps) {
    this.#deps = deps
    this.#seen = this.#mark()
    this.#loaded = this.#load()
  }

  get pair(): KeyPair {
    return this.#loaded.pair
  }

  watch(): void {
    this.#warn()
    this.#cancel = this.#deps.timers.every(LOOK_EVERY_MS, () => this.#look())
  }

  close(): void {
    this.#cancel()
  }

  #look(): void {
    const mark = this.#mark()
    if (mark !== this.#seen) {
      this.#seen = mark
      try {
        this.#loaded = this.#load()
        this.#warnedAtMs = Number.NEGATIVE_INFINITY
        this.#deps.changed(this.#loaded.pair)
        this.#deps.log.info({ endsAt: new Date(this.#loaded.endsAtMs).toISOString() }, 'certificate loaded')
      } catch (error) {
        const detail = error instanceof Error ? error.message : 'The certificate cannot be read.'
        this.#deps.log.error({ err: error }, 'the new certificate is refused; the old one stays')
        this.#deps.alarm('certificate-unreadable', detail)
      }
    }
    this.#warn()
  }

  #warn(): void {
    const { clock, log, alarm } = this.#deps
    const now = clock.now()
    const leftMs = this.#loaded.endsAtMs - now
    if (leftMs > WARN_BEFORE_MS || now - this.#warnedAtMs < WARN_EVERY_MS) return
    this.#warnedAtMs = now
    const endsAt = new Date(this.#loaded.endsAtMs).toISOString()
    log.warn({ endsAt }, 'the certificate of this node ends soon')
    alarm('certificate-ends', endsAt)
  }

  /** Tells a changed file without reading it. A file that is away for a moment has not changed. */
  #mark(): string {
    const { certificate, key } = this.#deps.files
    try {
      return [certificate, key]
        .map((file) => fs.statSync(file))
        .map(({ mtimeMs, size, ino }) => `${mtimeMs}:${size}:${ino}`)
        .join(' ')
    } catch {
      return this.#seen ?? ''
    }
  }

  #load(): Loaded {
    const { certificate, key } = this.#deps.files
    const pair = { cert: fs.readFileSync(certificate, 'utf8'), key: fs.readFileSync(key, 'utf8') }
    const parsed = new X509Certificate(pair.cert)
    if (!parsed.checkPrivateKey(createPrivateKey(pair.key))) {
      throw new Error('AGENT_TLS_KEY is not the key of the certificate in AGENT_TLS_CERT.')
    }
    return { pair, endsAtMs: Date.parse(parsed.validTo) }
  }
}
