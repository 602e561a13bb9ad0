import type { CertificateHooks, ServedCertificate } from '../http/certificate.ts'
import type { Clock } from '#platform/clock.ts'
import type { Disk } from '../platform/disk.ts'
import type { FaultPoint } from '../platform/fault-point.ts'
import type { RandomSource } from '#platform/ids.ts'
import type { Log } from '#platform/logger.ts'
import type { Timers } from '../platform/timers.ts'
import { AcmeCertificate } from './acme-certificate.ts'
import { httpAcmeNetwork } from './http-network.ts'
import { httpResponder } from './http-responder.ts'
import type { AcmeSettings } from './settings.ts'
import { AcmeStore } from './store.ts'

export interface AcmeSurroundings {
  readonly clock: Clock
  readonly timers: Timers
  readonly random: RandomSource
  readonly disk: Disk
  readonly log: Log
  readonly faults: FaultPoint
}

/** Opens the certificate of a listener, which it notifies of new ones. */
export type OpenCertificate = (hooks: CertificateHooks) => ServedCertificate

/**
 * A certificate by ACME over HTTP, stored in the agent's folder. Throws when the file of additional authorities cannot
 * be read.
 */
export const acmeCertificate = (
  settings: AcmeSettings,
  node: { readonly hosts: readonly string[]; readonly dataFolder: string; readonly caBundle: string | undefined },
  around: AcmeSurroundings,
): OpenCertificate => {
  const network = httpAcmeNetwork(node.caBundle)
  const respond = httpResponder(node.hosts, settings.httpPort)
  const store = new AcmeStore(around.disk, node.dataFolder, around.log)
  return (hooks) => new AcmeCertificate({ ...around, settings, store, network, respond }, hooks)
}
