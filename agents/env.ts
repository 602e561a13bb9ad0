import path from 'node:path'
import * as z from 'zod'
import { FaultPlan } from '#platform/fault-plan.ts'
import { QUOTA_NAMES } from './quota/catalog.ts'
import { acmeSettingsOf } from './acme/settings.ts'

const Port = z.coerce.number().int().min(0).max(65_535)
const Switch = z
  .enum(['', '0', '1'])
  .default('')
  .transform((text) => (text === '' ? undefined : text === '1'))
const Optional = z
  .string()
  .optional()
  .transform((text) => (text === '' ? undefined : text))

const Variables = z.object({
  /** Addresses to listen at, separated by commas; `::` covers IPv4 and IPv6. */
  HOST: z.string().default('127.0.0.1'),
  /** Files in PEM format. With both, the public listener uses TLS. */
  AGENT_TLS_CERT: Optional,
  AGENT_TLS_KEY: Optional,
  /** Instead of files: an ACME authority, and the certificate's name (agents/acme/settings.ts). */
  AGENT_ACME_DIRECTORY: Optional,
  AGENT_TLS_NAME: Optional,
  AGENT_ACME_TERMS: Optional,
  AGENT_ACME_EMAIL: Optional,
  AGENT_ACME_HTTP_PORT: Port.min(1).default(80),
  AGENT_ACME_EAB_KID: Optional,
  AGENT_ACME_EAB_HMAC: Optional,
  AGENT_PORT: Port.default(8080),
  AGENT_HEALTH_PORT: Port.default(8081),
  SFTP_PORT: Port.default(2022),
  BAKTER_DATA: z.string().default('.data'),
  /** The folder of this node's servers; default: the folder `agent` in BAKTER_DATA. */
  AGENT_DATA: Optional,
  BAKTER_MODE: z.enum(['demo', 'production']).default('demo'),
  CONTROL_PLANE_URL: z.url().default('http://127.0.0.1:4000'),
  AGENT_ENROLMENT_TOKEN: Optional,
  /** Unset: docker in production when an engine responds, else process. */
  AGENT_RUNTIME: z
    .enum(['', 'docker', 'process', 'fake'])
    .default('')
    .transform((name) => (name === '' ? undefined : name)),
  /** The kind of bound on the storage of new servers (agents/quota). */
  AGENT_QUOTA: z
    .enum(['', ...QUOTA_NAMES])
    .default('')
    .transform((name) => (name === '' ? 'watcher' : name)),
  AGENT_SINGLE_TENANT: Switch,
  AGENT_UID_BASE: z.coerce.number().int().min(1_000).default(210_000),
  AGENT_NPM_REGISTRY: Optional,
  AGENT_CA_BUNDLE: Optional,
  AGENT_DOCKER_SOCKET: Optional,
  /** Read when AGENT_DOCKER_SOCKET is unset; only an engine of this machine can run servers here. */
  DOCKER_HOST: Optional,
  /** The address ranges of servers' networks for IPv4 and IPv6. */
  AGENT_NETWORK_POOL: Optional,
  AGENT_NETWORK_POOL_V6: Optional,
  /** Targets on the node or in private networks that servers may reach: `10.0.0.5:3306, 203.0.113.7:25565-25999`. */
  AGENT_EGRESS_ALLOW: Optional,
  AGENT_BLOCK_SMTP: Switch,
  /** Registries in the node's own network that images may come from: `10.0.0.5:5000, registry.internal`. */
  AGENT_INTERNAL_REGISTRIES: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((part) => part.trim() || [])),
  /** A file of registry logins, in the format of Docker's config.json; read for every pull. */
  AGENT_REGISTRY_AUTH: Optional,
  /** Ending the agent also ends its servers, by their stop chains. Otherwise they keep running. */
  AGENT_STOP_SERVERS_ON_EXIT: Switch,
  BAKTER_SUPERVISED: Switch,
  LOG_LEVEL: z.string().default('info'),
  FAULT: FaultPlan.optional(),
})

const socketOf = (host: string | undefined): string => {
  if (host === undefined) return '/var/run/docker.sock'
  if (!host.startsWith('unix://')) {
    throw new Error('The setting DOCKER_HOST is wrong: servers run on this machine, so it must be a unix:// socket.')
  }
  return host.slice('unix://'.length)
}

/** Parses the environment once. Throws one sentence that names the fault. */
export const readEnv = (source: Readonly<Record<string, string | undefined>>) => {
  const parsed = Variables.safeParse(source)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Error(`The setting ${issue?.path.join('.') ?? ''} is wrong: ${issue?.message ?? ''}.`)
  }
  const env = parsed.data
  const isProduction = env.BAKTER_MODE === 'production'
  if (isProduction && env.FAULT !== undefined) throw new Error('The setting FAULT is refused in production.')
  const { AGENT_TLS_CERT: certificate, AGENT_TLS_KEY: key } = env
  if ((certificate === undefined) !== (key === undefined)) {
    throw new Error('AGENT_TLS_CERT and AGENT_TLS_KEY belong together: set both or none.')
  }
  const isSupervised = env.BAKTER_SUPERVISED ?? false
  return {
    hosts: env.HOST.split(',').map((host) => host.trim()),
    acme: acmeSettingsOf(env),
    tls: certificate === undefined || key === undefined ? undefined : { certificate, key },
    port: env.AGENT_PORT,
    healthPort: env.AGENT_HEALTH_PORT,
    sftpPort: env.SFTP_PORT,
    dataFolder: path.resolve(env.AGENT_DATA ?? path.join(env.BAKTER_DATA, 'agent')),
    isProduction,
    controlPlaneUrl: env.CONTROL_PLANE_URL,
    enrolmentToken: env.AGENT_ENROLMENT_TOKEN,
    runtime: env.AGENT_RUNTIME,
    quota: env.AGENT_QUOTA,
    isSingleTenant: env.AGENT_SINGLE_TENANT ?? false,
    uidBase: env.AGENT_UID_BASE,
    npmRegistry: env.AGENT_NPM_REGISTRY,
    caBundle: env.AGENT_CA_BUNDLE,
    dockerSocket: env.AGENT_DOCKER_SOCKET ?? socketOf(env.DOCKER_HOST),
    networkPool: env.AGENT_NETWORK_POOL,
    networkPoolV6: env.AGENT_NETWORK_POOL_V6,
    egressAllow: env.AGENT_EGRESS_ALLOW,
    blockMail: env.AGENT_BLOCK_SMTP ?? false,
    internalRegistries: env.AGENT_INTERNAL_REGISTRIES,
    registryAuth: env.AGENT_REGISTRY_AUTH,
    isSupervised,
    stopServersOnExit: env.AGENT_STOP_SERVERS_ON_EXIT ?? isSupervised,
    logLevel: env.LOG_LEVEL,
    fault: env.FAULT,
  }
}
export type AgentEnv = ReturnType<typeof readEnv>
