import { internalApi } from '../../control-plane/api/server.ts'
import { nodeSideCalls } from '../../control-plane/api/node-calls.ts'
import { loadConsoleKey } from '../../control-plane/servers/access/console-keys.ts'
import { systemIds } from '#platform/ids.ts'
import { stillClock } from './lifetime.ts'
import { paymentContext } from './till.ts'

/** The site under test sends it. */
const SECRET = 'internal secret of the tests'
const SILENT_BUS = {
  publish: () => Promise.resolve(),
  onEvent: () => () => {},
  onGap: () => () => {},
  close: () => Promise.resolve(),
}

/** The internal API with all of its calls on the database of a shop; it publishes nothing. */
export const openInternalApi = async (...shop: Parameters<typeof paymentContext>) => {
  const context = paymentContext(...shop)
  const consoleKey = await loadConsoleKey(context, 'the secret of this installation')
  const app = internalApi({
    context,
    secret: SECRET,
    mailSecret: SECRET,
    pushPublicKey: 'key',
    clockGuard: stillClock(),
    probe: () => Promise.resolve('silent'),
    ...nodeSideCalls({ context, consoleKey, gatewayUrl: 'http://pay.test', bus: SILENT_BUS }),
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
  return { context, app, ask, call }
}
