import { paymentMethodOf } from './money/payments/payment-methods.ts'
import { openDependencies } from './dependencies.ts'
import { parseEnvironment } from './env.ts'
import { startHeartbeat } from './platform/heartbeat.ts'
import { listenPrivately } from './platform/private-listener.ts'
import { endWithProcess, SHUTDOWN_LIMIT_MS } from '#platform/shutdown.ts'
import { openInternalApi, servicesFrom, startService } from './services.ts'

/** Exit code for an invalid configuration: restarting does not help. */
const EX_CONFIG = 78

function refuse(problems: readonly string[]): never {
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  process.exit(EX_CONFIG)
}

const environment = parseEnvironment(process.env)
if (!environment.ok) refuse(environment.problems)
const services = servicesFrom(process.argv.slice(2))
if (!services) refuse(['--services takes names out of gateway, api, jobs and reconciler, separated by commas.'])

const deps = await openDependencies(environment.settings)
const { context, health, metrics, shutdown } = deps
let started = false
health.add('services', async () => {
  if (!started) throw new Error('are starting')
})
const internal = services.includes('api') ? await openInternalApi(deps) : undefined
const { internalPort: port, internalHost: host } = environment.settings
shutdown.add('private listener', await listenPrivately({ port, host, health, metrics, internal }))
for (const name of services) if (name !== 'api') await startService(name, deps)
const paymentMethods = context.providers.all.map(paymentMethodOf)
shutdown.add('heartbeat', await startHeartbeat({ ...context, paymentMethods }))
// Registered last, so it is the first step of the shutdown: load balancers stop sending before sockets are closed.
shutdown.add('readiness', () => health.drain())
started = true
context.log.info({ services, port: environment.settings.port, internalPort: port }, 'ready')
// A signal before this line ends the process at once, since nothing has been accepted yet.
endWithProcess(shutdown, { log: context.log, supervised: environment.settings.supervised, limitMs: SHUTDOWN_LIMIT_MS })
process.send?.('ready')
