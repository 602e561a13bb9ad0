import type { FaultPlan } from '#platform/fault-plan.ts'
import type { CertificateFiles } from './http/certificate.ts'

/** The settings that the agent takes from its environment. */
export interface AgentSettings {
  /** Addresses to listen at. */
  readonly hosts: readonly string[]
  /** Undefined: the public listener has no TLS, unless its certificate comes by ACME. */
  readonly tls: CertificateFiles | undefined
  readonly port: number
  readonly healthPort: number
  readonly sftpPort: number
  readonly dataFolder: string
  readonly controlPlaneUrl: string
  readonly enrolmentToken: string | undefined
  readonly uidBase: number
  readonly npmRegistry: string | undefined
  readonly caBundle: string | undefined
  readonly stopServersOnExit: boolean
  readonly version: string
  /** The fault of a process under test. */
  readonly fault?: FaultPlan | undefined
}
