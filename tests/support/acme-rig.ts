import { X509Certificate } from 'node:crypto'

import { AcmeCertificate, type AcmeCertificateDeps } from '../../agents/acme/acme-certificate.ts'
import { httpAcmeNetwork } from '../../agents/acme/http-network.ts'
import { httpResponder } from '../../agents/acme/http-responder.ts'
import type { AcmeNetwork } from '../../agents/acme/network.ts'
import { AcmeStore } from '../../agents/acme/store.ts'
import type { KeyPair } from '../../agents/http/certificate.ts'
import type { Disk } from '../../agents/platform/disk.ts'
import { realDisk } from '../../agents/platform/disk.ts'
import { noFaults } from '#platform/fault-point.ts'
import type { Log } from '#platform/logger.ts'
import type { Timers } from '../../agents/platform/timers.ts'
import { AcmeDirectory, type DirectoryOptions, type Faults } from '../emulators/acme/directory.ts'
import { ManualClock } from '../setup/manual-clock.ts'
import { freePort } from './free-port.ts'
import { ManualTimers } from './manual-timers.ts'
import { waitFor } from './wait-for.ts'

export const NAME = 'node1.bakter.test'

/** No packet of a test leaves this machine, whatever host an authority names. */
export const hereOnly: AcmeNetwork = (request) => {
  if (new URL(request.url).hostname !== '127.0.0.1') throw new Error(`A packet would have gone to ${request.url}.`)
  return httpAcmeNetwork(undefined)(request)
}

/** One start of the agent, limited to its certificate. */
export interface Started {
  readonly certificate: AcmeCertificate
  readonly served: KeyPair[]
  readonly alarms: string[]
}

/**
 * The agent's certificate by ACME against a real directory on this machine: real requests, files and name checks, with
 * a manual clock.
 */
export class AcmeRig {
  readonly clock = new ManualClock()
  readonly timers = new ManualTimers(this.clock)
  readonly folder: string
  readonly directory: AcmeDirectory
  readonly challengePort: number
  /** Everything that was logged, as text. */
  readonly lines: string[] = []
  url = ''
  #running: AcmeCertificate | undefined

  private constructor(folder: string, challengePort: number, options: Partial<DirectoryOptions>) {
    this.folder = folder
    this.challengePort = challengePort
    this.directory = new AcmeDirectory({ challengePort, now: this.clock.now, ...options })
  }

  static async open(folder: string, options: Partial<DirectoryOptions> = {}): Promise<AcmeRig> {
    const rig = new AcmeRig(folder, await freePort(), options)
    rig.url = await rig.directory.open()
    return rig
  }

  async close(): Promise<void> {
    this.#running?.close()
    await this.directory.close()
  }

  /** Starts it on the same folder, after the previous one has ended. */
  start(change: Partial<AcmeCertificateDeps> = {}, disk: Disk = realDisk): Started {
    this.#running?.close()
    const started = { served: [] as KeyPair[], alarms: [] as string[] }
    const certificate = new AcmeCertificate(
      {
        settings: {
          directory: this.url,
          name: NAME,
          email: undefined,
          httpPort: this.challengePort,
          externalAccount: undefined,
        },
        store: new AcmeStore(disk, this.folder, this.#log),
        network: hereOnly,
        respond: httpResponder(['127.0.0.1'], this.challengePort),
        clock: this.clock,
        timers: this.timers,
        random: () => 0,
        log: this.#log,
        faults: noFaults,
        ...change,
      },
      {
        changed: (pair) => void started.served.push(pair),
        alarm: (alarm, detail) => void started.alarms.push(`${alarm} ${detail}`),
      },
    )
    certificate.watch()
    this.#running = certificate
    return { certificate, ...started }
  }

  /** Starts it and waits for its first certificate. */
  async obtain(): Promise<Started> {
    const started = this.start()
    await this.until('the first certificate', () => started.served.length === 1)
    return started
  }

  get failures(): number {
    return this.lines.filter((line) => line.startsWith('There is no new certificate.')).length
  }

  /** Starts it against a failing directory, and waits for the log line of the first failure. */
  async fail(faults: Partial<Faults>): Promise<Started & { readonly reason: string }> {
    Object.assign(this.directory.faults, faults)
    const started = this.start()
    const before = this.failures
    await this.until('the failure', () => this.failures > before)
    return { ...started, reason: started.certificate.missing() ?? '' }
  }

  /** The rig's timers, and the delay of each. */
  recordedTimers(): { readonly delays: number[]; readonly timers: Timers } {
    const delays: number[] = []
    const after: Timers['after'] = (delayMs, run) => {
      delays.push(delayMs)
      return this.timers.after(delayMs, run)
    }
    return { delays, timers: { after, every: this.timers.every } }
  }

  /** Advances the time in small steps until the condition holds. */
  async until(what: string, condition: () => boolean, stepMs = 10_000): Promise<void> {
    await waitFor(what, async () => {
      if (condition()) return true
      await this.timers.advance(stepMs)
      return condition()
    })
  }

  /** Advances the time, and lets network requests complete on the way. */
  async pass(ms: number, stepMs: number): Promise<void> {
    for (let left = ms; left > 0; left -= stepMs) {
      await this.timers.advance(Math.min(stepMs, left))
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  }

  get #log(): Log {
    const write = (fields: object, message: string): void => {
      const told = Object.fromEntries(
        Object.entries(fields).map(([key, value]) => [key, value instanceof Error ? String(value.stack) : value]),
      )
      this.lines.push(`${message} ${JSON.stringify(told)}`)
    }
    return { info: write, warn: write, error: write }
  }
}

export const endOf = ({ cert }: KeyPair): number => Date.parse(new X509Certificate(cert).validTo)
export const serialOf = ({ cert }: KeyPair): string => new X509Certificate(cert).serialNumber
