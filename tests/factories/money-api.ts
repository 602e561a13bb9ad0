import type { InternalCallName } from '#contracts/internal-api/calls.ts'
import { internalApi } from '../../control-plane/api/server.ts'
import type { PaymentContext } from '../../control-plane/money/payments/payment-context.ts'
import { systemIds } from '#platform/ids.ts'
import { stillClock } from './lifetime.ts'
import { noScanner } from './virus-scanners.ts'

const unused = () => Promise.reject(new Error('not called'))

/** The internal API's calls that move and show money, with a secret for the site. */
export const moneyApi = (context: PaymentContext, secret: string) =>
  internalApi({
    context,
    secret,
    mailSecret: secret,
    pushPublicKey: 'key',
    clockGuard: stillClock(),
    probe: unused,
    scanner: noScanner,
    servers: { requestPower: unused, consoleAccess: unused, nodeToken: unused, archiveAccess: unused },
    nodes: { consoleTail: unused, nodeOrigins: unused, enrolmentToken: unused, forceMove: unused },
    nudges: { sessionEnded: unused, nudge: unused },
  })

type Sent = { /** A text is sent unchanged. */ readonly input: object | string; readonly key?: string | undefined }

/** One call as the site sends it; without a key each is a new attempt. */
export async function callMoney(context: PaymentContext, name: InternalCallName, { input, key }: Sent) {
  const secret = 'a-secret-of-the-test'
  const answer = await moneyApi(context, secret).request(`http://internal.test/internal/${name}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-internal-secret': secret,
      'idempotency-key': key ?? systemIds.next(),
    },
    body: typeof input === 'string' ? input : JSON.stringify(input),
  })
  const json = (await answer.json()) as { error?: { code: string; fields?: object } }
  return { status: answer.status, json, code: json.error?.code }
}
