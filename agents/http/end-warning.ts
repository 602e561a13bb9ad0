import type { Clock } from '#platform/clock.ts'
import type { Log } from '#platform/logger.ts'

const WARN_EVERY_MS = 24 * 3_600_000

export type CertificateAlarm = 'certificate-ends' | 'certificate-unreadable'

export interface EndWarningDeps {
  readonly clock: Clock
  readonly log: Log
  alarm(kind: CertificateAlarm, detail: string): void
}

/** Warns once a day that a certificate expires soon, whatever its source. */
export class EndWarning {
  readonly #deps: EndWarningDeps
  #warnedAtMs = Number.NEGATIVE_INFINITY

  constructor(deps: EndWarningDeps) {
    this.#deps = deps
  }

  /** Another certificate is served: if necessary, its warning is due at once. */
  reset(): void {
    this.#warnedAtMs = Number.NEGATIVE_INFINITY
  }

  look(endsAtMs: number, beforeMs: number): void {
    const { clock, log, alarm } = this.#deps
    const now = clock.now()
    if (endsAtMs - now > beforeMs || now - this.#warnedAtMs < WARN_EVERY_MS) return
    this.#warnedAtMs = now
    const endsAt = new Date(endsAtMs).toISOString()
    log.warn({ endsAt }, 'the certificate of this node ends soon')
    alarm('certificate-ends', endsAt)
  }
}
