import { createServer, type IncomingMessage } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { receiveHint } from './money/payments/receive-hint.ts'
import type { Dependencies } from './dependencies.ts'
import { siteLoginsAt } from './servers/access/file-logins.ts'
import { AgentHub } from './servers/nodes/agent-hub.ts'
import { enrolNode } from './servers/nodes/enrol-node.ts'
import { noteTaken } from './money/modification/pending-sizes.ts'
import { paymentRoutes } from './api/gateway/payment-routes.ts'
import { sandboxPages } from './money/payments/providers/catalog.ts'
import type { OnHint } from './money/payments/payment-provider.ts'
import { openListener } from './platform/open-listener.ts'
import { reconcileServer } from './servers/provisioning/apply-plan.ts'
import { reconcileAll } from './servers/provisioning/reconcile-loop.ts'
import { BrowserGateway } from './api/gateway/browser-gateway.ts'
import { OVERLOAD } from '#contracts/overload.ts'
import { answerBusy, ConnectionShares } from '#platform/connection-shares.ts'
import { clientAddress, trustFrom } from '#platform/client-address.ts'
import { publicApp } from './api/gateway/public-app.ts'
import { TokenBucket } from '#platform/token-bucket.ts'
import { openWebSocketDoor } from './platform/sockets/websocket.ts'

/** How often overdue handshakes are searched for: with their time-out they end within 10 s (security case 135). */
const LOOK_FOR_LATE_MS = 1_000

/** The rate of payment lookups caused by unproven webhooks, per process. */
const UNPROVEN_HINTS = { rate: 20, seconds: 1, burst: 200 }

/** The public listener: sockets of browsers and agents, enrolment, payments. */
export async function startGateway(deps: Dependencies): Promise<void> {
  const { context, bus, metrics, settings, shutdown } = deps
  const { log } = context
  const trust = trustFrom(settings.trustedProxies)
  const addressOf = (request: IncomingMessage) => clientAddress(request, trust)
  const looks = new TokenBucket(UNPROVEN_HINTS)
  const { providers } = context
  const onHint: OnHint = (hint) => receiveHint(context, hint)
  const app = publicApp({
    clock: context.clock,
    log,
    enrol: (request) => enrolNode({ ...context, bus, metrics }, request),
    payments: paymentRoutes({
      providers,
      onHint,
      mayAsk: () => looks.take(context.clock.now()),
      sandbox: sandboxPages(context, { providers, onHint }),
    }),
  })
  const gateway = new BrowserGateway({ ...context, bus, metrics, keys: deps.siteKeys, origins: settings.siteOrigins })
  const provisioning = { ...context, metrics }
  const hub = new AgentHub({
    ...provisioning,
    bus,
    holder: deps.holder,
    siteOrigins: settings.siteOrigins,
    siteLogins: siteLoginsAt({ url: settings.siteInternalUrl, secret: settings.internalSecret }),
    onTaken: (tx, taken) => noteTaken(tx, context, taken),
    reconcile: (serverId, requestId) => reconcileServer(serverId, requestId, provisioning),
    reconcileNode: (nodeId) => reconcileAll(provisioning, nodeId),
  })
  const shares = new ConnectionShares(OVERLOAD.gateway.connections, (address) => trust(address, 0))
  const server = createServer({ connectionsCheckingInterval: LOOK_FOR_LATE_MS }, (incoming, outgoing) => {
    if (shares.isOver(incoming.socket)) return answerBusy(outgoing, OVERLOAD.retryAfterSeconds)
    const address = addressOf(incoming)
    void getRequestListener((request) => app.fetch(request, { address }))(incoming, outgoing)
  })
  shares.watch(server)
  const routes = { '/api/ws/gateway': gateway.route, '/api/ws/agent': hub.route }
  const door = openWebSocketDoor(server, { routes, addressOf, log, metrics, shares })
  const close = await openListener(server, settings)
  shutdown.add('public listener', async () => {
    const closed = close()
    await gateway.close()
    await hub.close()
    await door.close()
    await closed
  })
}
