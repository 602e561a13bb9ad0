import { internalApi } from '../../control-plane/api/server.ts'
import { nodeSideCalls } from '../../control-plane/api/node-calls.ts'
import type { ConsoleTail } from '#contracts/agent/session.ts'
import type { BusEvent, EventBus } from '../../control-plane/platform/event-bus.ts'
import { questionOf, toldTail } from '../../control-plane/servers/nodes/console-tail.ts'
import { loadConsoleKey } from '../../control-plane/servers/access/console-keys.ts'
import type { VirusScanner } from '#platform/virus-scan/virus-scanner.ts'
import { systemIds } from '#platform/ids.ts'
import { stillClock } from './lifetime.ts'
import { noScanner } from './virus-scanners.ts'
import { paymentContext } from './till.ts'

/** The site under test sends it. */
const SECRET = 'internal secret of the tests'
/** A bus on which the nodes of servers tell their consoles, and nothing else is heard. */
const busOf = (tails: ReadonlyMap<string, ConsoleTail>): EventBus => {
  const listeners = new Set<(event: BusEvent) => void>()
  return {
    publish: async (...events) => {
      for (const { nodeId, message } of events.flatMap((event) => questionOf(event) ?? []))
        if (message.type === 'tail')
          for (const hear of listeners)
            hear(toldTail(nodeId, { type: 'tail', id: message.id, tail: tails.get(message.serverId) ?? null }))
    },
    onEvent: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    onGap: () => () => {},
    close: async () => {},
  }
}

/** The internal API with all of its calls on the database of a shop; its bus carries consoles alone. */
export const openInternalApi = async (...shop: Parameters<typeof paymentContext>) => {
  const context = paymentContext(...shop)
  const consoleKey = await loadConsoleKey(context, 'the secret of this installation')
  /** The last lines of consoles, by server. */
  const tails = new Map<string, ConsoleTail>()
  const files: { scanner: VirusScanner } = { scanner: noScanner }
  const app = internalApi({
    context,
    secret: SECRET,
    mailSecret: SECRET,
    pushPublicKey: 'key',
    clockGuard: stillClock(),
    probe: () => Promise.resolve('silent'),
    scanner: { scan: (bytes) => files.scanner.scan(bytes) },
    ...nodeSideCalls({ context, consoleKey, gatewayUrl: 'http://pay.test', bus: busOf(tails) }),
  })
  /** One call as the site sends it, with the exact body; without a key each is a new attempt. */
  const ask = async (name: string, body: string, key = systemIds.next()) => {
    const answer = await app.request(`http://internal.test/internal/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-internal-secret': SECRET, 'idempotency-key': key },
      body,
    })
    return { status: answer.status, text: await answer.text() }
  }
  const call = async (name: string, input: unknown): Promise<{ status: number; json: unknown }> => {
    const { status, text } = await ask(name, JSON.stringify(input))
    return { status, json: JSON.parse(text) as unknown }
  }
  return { context, app, ask, call, tails, files }
}
