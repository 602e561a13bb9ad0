import { assertNever } from '#domain/kernel/assert.ts'
import type { Hono } from 'hono'
import type { Dependencies } from './dependencies.ts'

export const SERVICES = ['gateway', 'api', 'jobs', 'reconciler'] as const
export type ServiceName = (typeof SERVICES)[number]

/** The services in `--services=a,b`; all of them by default. Undefined for an unknown name. */
export function servicesFrom(args: readonly string[]): ServiceName[] | undefined {
  const option = args.find((arg) => arg.startsWith('--services='))
  if (!option) return [...SERVICES]
  const names = option.slice('--services='.length).split(',')
  const known = SERVICES.filter((name) => names.includes(name))
  return known.length === new Set(names).size ? known : undefined
}

/** A node on the other side of the world answers within it. */
const PROBE_TIMEOUT_MS = 3_000
const PROBES_AT_ONCE = 50

/** Starts one service; the shutdown closes its resources. The api has no start: it is part of the private listener. */
export async function startService(name: Exclude<ServiceName, 'api'>, deps: Dependencies): Promise<void> {
  switch (name) {
    case 'gateway':
      return (await import('./start-gateway.ts')).startGateway(deps)
    case 'jobs':
      return (await import('./start-jobs.ts')).startJobs(deps)
    case 'reconciler':
      return (await import('./start-reconciler.ts')).startReconciler(deps)
    default:
      return assertNever(name)
  }
}

/** The internal API, created only in a process that serves it. */
export async function openInternalApi({
  context,
  clockGuard,
  bus,
  consoleKey,
  mailing,
  push,
  scanner,
  settings,
}: Dependencies): Promise<Hono> {
  const [{ internalApi }, { nodeSideCalls }, { createPortProbe }] = await Promise.all([
    import('./api/server.ts'),
    import('./api/node-calls.ts'),
    import('./platform/port-probe.ts'),
  ])
  const probe = createPortProbe({ timeoutMs: PROBE_TIMEOUT_MS, atOnce: PROBES_AT_ONCE })
  const calls = nodeSideCalls({ context, bus, consoleKey, gatewayUrl: settings.gatewayUrl })
  const secrets = { secret: settings.internalSecret, mailSecret: mailing.mailSecret }
  return internalApi({ context, clockGuard, probe, scanner, ...secrets, pushPublicKey: push.key.publicKey, ...calls })
}
