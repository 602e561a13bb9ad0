import { X509Certificate } from 'node:crypto'
import type { CertificateHooks, KeyPair, ServedCertificate } from '../http/certificate.ts'
import { EndWarning } from '../http/end-warning.ts'
import { AgentError } from '../platform/agent-error.ts'
import type { Clock } from '#platform/clock.ts'
import type { FaultPoint } from '../platform/fault-point.ts'
import type { RandomSource } from '#platform/ids.ts'
import type { Log } from '#platform/logger.ts'
import type { Timers } from '../platform/timers.ts'
import { withAccount } from './account.ts'
import { AcmeClient } from './acme-client.ts'
import { DirectoryError } from './directory-error.ts'
import type { AcmeNetwork, ChallengeResponder } from './network.ts'
import { CertificateOrder, refusePair } from './order.ts'
import { certificateId, suggestedRenewalAtMs } from './renewal-info.ts'
import { nextAttemptAtMs, renewalAtMs, suggestedAtMs, warnBeforeMs, type Life } from './schedule.ts'
import type { AcmeSettings } from './settings.ts'
import type { AcmeStore, StoredAttempts } from './store.ts'

const HOUR_MS = 3_600_000
/** The longest interval between checks: timers stop while a machine sleeps, and cannot wait for more than 24 days. */
const LOOK_EVERY_MS = HOUR_MS
/** How often the authority is asked for the renewal time (RFC 9773 section 4.3 suggests six hours). */
const ASK_EVERY_MS = 6 * HOUR_MS

export interface AcmeCertificateDeps {
  readonly settings: AcmeSettings
  readonly store: AcmeStore
  readonly network: AcmeNetwork
  readonly respond: ChallengeResponder
  readonly clock: Clock
  readonly timers: Timers
  readonly random: RandomSource
  readonly log: Log
  readonly faults: FaultPoint
}

/**
 * Distinguishes attempts under different settings. The external account key is not included: it may exist only in
 * memory.
 */
const markOf = ({ directory, name, email, httpPort, externalAccount }: AcmeSettings): string =>
  JSON.stringify([directory, name, email, httpPort, externalAccount?.keyId])

interface Held extends Life {
  readonly pair: KeyPair
  /** A certificate of another directory is served, but replaced at once. */
  readonly isOfDirectory: boolean
  /** Fixed per certificate, so that repeated checks give the same day. */
  readonly chance: number
}

/**
 * The public listener's certificate, from an authority by ACME (RFC 8555). The stored one is served from the start; a
 * new one is ordered if there is none or it is due, and a failure leaves the old one in use.
 */
export class AcmeCertificate implements ServedCertificate {
  readonly #deps: AcmeCertificateDeps
  readonly #hooks: CertificateHooks
  readonly #warning: EndWarning
  #held: Held | undefined
  #attempts: StoredAttempts | undefined
  #isRestart = true
  #retryChance: number
  #suggestedAtMs: number | undefined
  #askedAtMs = Number.NEGATIVE_INFINITY
  #stopped = false
  #cancel: () => void = () => {}

  constructor(deps: AcmeCertificateDeps, hooks: CertificateHooks) {
    this.#deps = deps
    this.#hooks = hooks
    this.#warning = new EndWarning({ ...deps, alarm: (kind, detail) => hooks.alarm(kind, detail) })
    this.#retryChance = deps.random()
    this.#attempts = deps.store.attempts(markOf(deps.settings))
    this.#held = this.#load()
  }

  get pair(): KeyPair | undefined {
    return this.#held?.pair
  }

  /** Why browsers cannot connect: there is no certificate yet, or it has expired. */
  missing(): string | undefined {
    const { clock, settings } = this.#deps
    if (this.#held !== undefined && this.#held.endsAtMs > clock.now()) return undefined
    const state = this.#held === undefined ? 'has no certificate yet' : 'has a certificate that is over'
    const nextAt = new Date(Math.max(this.#dueAtMs(), clock.now())).toISOString()
    const last = this.#attempts
    const why = last === undefined ? '' : ` The last attempt: ${last.reason} The next one: not before ${nextAt}.`
    return `This node ${state}: it asks ${new URL(settings.directory).host} for one of ${settings.name}.${why}`
  }

  watch(): void {
    void this.#look()
  }

  close(): void {
    this.#stopped = true
    this.#cancel()
  }

  /** Never rejects: checks continue whatever happens. */
  async #look(): Promise<void> {
    const { clock, log, timers } = this.#deps
    try {
      await this.#askAuthority()
      if (clock.now() >= this.#dueAtMs()) await this.#attempt()
      const held = this.#held
      if (held !== undefined) this.#warning.look(held.endsAtMs, warnBeforeMs(held.endsAtMs - held.startsAtMs))
    } catch (error) {
      log.error({ err: error }, 'looking after the certificate failed')
    }
    if (this.#stopped) return
    const waitMs = Math.min(LOOK_EVERY_MS, Math.max(1_000, this.#dueAtMs() - clock.now()))
    this.#cancel = timers.after(waitMs, () => void this.#look())
  }

  #dueAtMs(): number {
    return Math.max(this.#wishedAtMs(), this.#allowedAtMs())
  }

  /** 0 without a failure. */
  #allowedAtMs(): number {
    const about = { nowMs: this.#deps.clock.now(), chance: this.#retryChance, isRestart: this.#isRestart }
    return nextAttemptAtMs(this.#attempts, about)
  }

  #wishedAtMs(): number {
    const held = this.#held
    if (held === undefined || !held.isOfDirectory) return 0
    const ownMs = renewalAtMs(held, held.chance)
    return this.#suggestedAtMs === undefined ? ownMs : suggestedAtMs(held, this.#suggestedAtMs)
  }

  /** The authority knows about planned revocations. If it is unreachable, nothing changes. */
  async #askAuthority(): Promise<void> {
    const { clock, log } = this.#deps
    const held = this.#held
    const now = clock.now()
    if (held === undefined || !held.isOfDirectory || now - this.#askedAtMs < ASK_EVERY_MS) return
    // The authority asked for a pause, or was asked in vain just now, or a certificate will be ordered at once anyway.
    if (now < this.#allowedAtMs() || now >= this.#wishedAtMs()) return
    this.#askedAtMs = now
    try {
      this.#suggestedAtMs = await suggestedRenewalAtMs(this.#client(), held.pair.cert, held.chance)
    } catch (error) {
      if (!(error instanceof AgentError)) log.error({ err: error }, 'the renewal information could not be read')
    }
  }

  /**
   * The attempt is stored before it is made, so that an agent that dies in every attempt does not retry without end.
   */
  async #attempt(): Promise<void> {
    const { clock, random, settings, log } = this.#deps
    this.#isRestart = false
    const failures = (this.#attempts?.failures ?? 0) + 1
    const begun = {
      settings: markOf(settings),
      failures,
      atMs: clock.now(),
      retryAtMs: null,
      reason: 'It was interrupted.',
    }
    this.#remember(begun)
    try {
      await this.#take(await this.#obtain())
    } catch (error) {
      if (this.#stopped) return
      const reason = error instanceof Error ? error.message : 'It failed.'
      const retryAtMs = error instanceof DirectoryError ? (error.retryAtMs ?? null) : null
      this.#retryChance = random()
      this.#remember({ ...begun, atMs: clock.now(), retryAtMs, reason })
      const nextAt = new Date(this.#dueAtMs()).toISOString()
      // The first failure is reported to the operator; the others are only logged.
      const isNews = failures === 1 ? { operator: true } : {}
      log.warn({ failures, nextAt, ...isNews }, `There is no new certificate. ${reason}`)
    }
  }

  async #obtain(): Promise<KeyPair> {
    const { store, settings, faults } = this.#deps
    const client = this.#client()
    const held = this.#held
    // An authority accepts each certificate as replaced only once, and the failed order may have used that.
    const isFirst = this.#attempts?.failures === 1
    const replaces = isFirst && held?.isOfDirectory === true ? certificateId(held.pair.cert) : undefined
    const { renewalInfo } = await client.directory()
    const isKnownThere = renewalInfo !== undefined && replaces !== undefined
    return withAccount({ client, store, settings, faults }, (signer) => {
      const deps = { ...this.#deps, client, stopped: () => this.#stopped }
      return new CertificateOrder(deps, signer, settings.name).obtain(isKnownThere ? replaces : undefined)
    })
  }

  /** Serves the pair, and stores it. On a full disk the certificate is lost at the next start, not now. */
  async #take(pair: KeyPair): Promise<void> {
    const { store, clock, log, settings, faults } = this.#deps
    const obtainedAtMs = clock.now()
    try {
      store.writeCertificate({ directory: settings.directory, obtainedAtMs, ...pair })
    } catch (error) {
      log.error({ err: error }, 'the new certificate could not be written down')
    }
    await faults('acme.stored')
    this.#held = this.#holding(pair, obtainedAtMs, true)
    this.#suggestedAtMs = undefined
    this.#askedAtMs = obtainedAtMs
    this.#attempts = undefined
    this.#forgetAttempts()
    this.#warning.reset()
    this.#hooks.changed(pair)
    log.info({ endsAt: new Date(this.#held.endsAtMs).toISOString(), name: settings.name }, 'certificate obtained')
  }

  #load(): Held | undefined {
    const { store, settings, log } = this.#deps
    const stored = store.certificate()
    if (stored === undefined) return undefined
    const pair = { cert: stored.cert, key: stored.key }
    // An expired certificate is served until it is replaced: it is more informative than a refused handshake.
    const refusal = refusePair(pair, settings.name, Number.NEGATIVE_INFINITY)
    if (refusal === undefined) {
      return this.#holding(pair, stored.obtainedAtMs, stored.directory === settings.directory)
    }
    log.warn({ file: 'acme/certificate.json' }, `the certificate on disk is not served: ${refusal}`)
    return undefined
  }

  #holding(pair: KeyPair, obtainedAtMs: number, isOfDirectory: boolean): Held {
    const { validFrom, validTo } = new X509Certificate(pair.cert)
    const chance = this.#deps.random()
    return {
      pair,
      obtainedAtMs,
      isOfDirectory,
      chance,
      startsAtMs: Date.parse(validFrom),
      endsAtMs: Date.parse(validTo),
    }
  }

  #client(): AcmeClient {
    const { network, clock, settings } = this.#deps
    return new AcmeClient({ network, clock, directory: settings.directory })
  }

  #remember(attempts: StoredAttempts): void {
    this.#attempts = attempts
    try {
      this.#deps.store.writeAttempts(attempts)
    } catch (error) {
      this.#deps.log.error({ err: error }, 'an attempt at a certificate could not be written down')
    }
  }

  #forgetAttempts(): void {
    try {
      this.#deps.store.forgetAttempts()
    } catch (error) {
      this.#deps.log.error({ err: error }, 'the attempts at a certificate could not be removed')
    }
  }
}
