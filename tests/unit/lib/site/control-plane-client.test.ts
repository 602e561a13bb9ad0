import { expect, test, vi } from 'vitest'
import { controlPlaneAt } from '../../../../src/lib/site/control-plane-client.ts'

const client = (answer: () => Promise<Response>) => controlPlaneAt({ url: 'http://control.test', secret: 's' }, answer)
const options = { requestId: 'r', locale: 'en' as const }
const ask = (answer: () => Promise<Response>) => client(answer).call('services', { locale: 'en' }, options)

test('an answer is checked by the contract', async () => {
  expect(await ask(async () => Response.json([]))).toEqual([])
  await expect(ask(async () => Response.json([{ id: 1 }]))).rejects.not.toMatchObject({
    code: 'CONTROL_PLANE_UNAVAILABLE',
  })
})

test('a refusal keeps its code and its facts', async () => {
  const error = { error: { code: 'INSUFFICIENT_BALANCE', params: { price: '410' } } }
  await expect(ask(async () => Response.json(error, { status: 402 }))).rejects.toMatchObject({
    code: 'INSUFFICIENT_BALANCE',
    facts: { params: { price: '410' } },
  })
})

test.each([
  ['is down', () => Promise.reject(new TypeError('fetch failed'))],
  ['is too slow', () => Promise.reject(new DOMException('late', 'TimeoutError'))],
  ['answers something else', async () => new Response('<html>', { status: 502 })],
  ['refuses our secret', async () => Response.json({ error: { code: 'UNAUTHENTICATED' } }, { status: 401 })],
])('a control plane that %s is unavailable', async (_name, answer) => {
  await expect(ask(answer)).rejects.toMatchObject({ code: 'CONTROL_PLANE_UNAVAILABLE' })
})

test('secret, request id, language and key travel as headers', async () => {
  let sent: RequestInit | undefined
  const spy: typeof fetch = async (_url, init) => {
    sent = init
    return Response.json([])
  }
  const controlPlane = controlPlaneAt({ url: 'http://control.test', secret: 's' }, spy)
  await controlPlane.call('services', { locale: 'hu' }, { requestId: 'r1', locale: 'hu', idempotencyKey: 'k' })
  expect(sent?.headers).toMatchObject({
    'x-internal-secret': 's',
    'x-request-id': 'r1',
    'accept-language': 'hu',
    'idempotency-key': 'k',
  })
})

test.each([
  'order',
  'topup',
  'renew',
  'modify-server',
  'change-package',
  'convert-server',
  'begin-withdrawal',
  'confirm-withdrawal',
  'buy-premium',
  'spin',
  'buy-spins',
  'spin-coupon',
  'refund-payment',
  'refund-server',
  'manual-credit',
  'decide-proposal',
  'assign-unmatched',
  'close-dispute',
  'write-off-debt',
  'grant-test-server',
  'grant-ticket-test-server',
  'staff-invoice-file',
  'ticket-context',
] as const)('%s may wait for a lock or a node longer than what is only read', async (name) => {
  const given = vi.spyOn(AbortSignal, 'timeout')
  const unread = client(async () => Response.json({ error: { code: 'INTERNAL' } }, { status: 500 }))
  await expect(unread.call(name, {} as never, options)).rejects.toMatchObject({ code: 'INTERNAL' })
  await expect(unread.call('balance', {} as never, options)).rejects.toMatchObject({ code: 'INTERNAL' })
  const [money = 0, reading = 0] = given.mock.calls.map(([timeoutMs]) => timeoutMs)
  expect(money).toBeGreaterThan(reading)
})
