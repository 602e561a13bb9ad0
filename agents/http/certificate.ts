import { X509Certificate, createPrivateKey } from 'node:crypto'
import fs from 'node:fs'
import type { Timers } from '../platform/timers.ts'
import { EndWarning, type EndWarningDeps } from './end-warning.ts'

const LOOK_EVERY_MS = 5_000
const WARN_BEFORE_MS = 14 * 24 * 3_600_000

export interface CertificateFiles {
  readonly certificate: string
  readonly key: string
}

export interface KeyPair {
  readonly cert: string
  readonly key: string
}

/** The certificate of the public listener, whatever its source. */
export interface ServedCertificate {
  /** Undefined before the first one: the listener then refuses every handshake, and never falls back to no TLS. */
  readonly pair: KeyPair | undefined
  /** One sentence when there is no usable certificate; undefined otherwise. */
  missing(): string | undefined
  watch(): void
  close(): void
}

/** Callbacks of a certificate source to its listener and the operator. */
export interface CertificateHooks extends Pick<EndWarningDeps, 'alarm'> {
  /** A new, matching pair is ready. */
  changed(pair: KeyPair): void
}

export interface CertificateDeps extends EndWarningDeps, CertificateHooks {
  readonly files: CertificateFiles
  readonly timers: Timers
}

interface Loaded {
  readonly pair: KeyPair
  readonly endsAtMs: number
}

/**
 * The certificate and key of the public listener, from files that another program renews. New files are loaded within
 * seconds and without a restart; a mismatched pair is refused and the old one stays (fault 29: no downgrade).
 */
export class Certificate implements ServedCertificate {
  readonly #deps: CertificateDeps
  readonly #warning: EndWarning
  #loaded: Loaded
  #seen: string
  #cancel: () => void = () => {}

  /** Throws one sentence when the files are unusable: an agent configured for TLS never serves without. */
  constructor(deps: CertificateDeps) {
    this.#deps = deps
    this.#warning = new EndWarning(deps)
    this.#seen = this.#mark()
    this.#loaded = this.#load()
  }

  get pair(): KeyPair {
    return this.#loaded.pair
  }

  /** Unusable files end the agent before it listens. */
  missing(): undefined {
    return undefined
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
        this.#warning.reset()
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
    this.#warning.look(this.#loaded.endsAtMs, WARN_BEFORE_MS)
  }

  /** Detects a changed file without reading it. A briefly missing file has not changed. */
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
