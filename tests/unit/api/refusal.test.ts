import { expect, it } from 'vitest'
import { Overloaded } from '#platform/overloaded.ts'
import type { ApiContext } from '@/api/api-call.ts'
import { refuse } from '@/api/refusal.ts'

const context = {
  env: { requestId: 'req', address: '192.0.2.7' },
  req: { raw: new Request('http://site.test/api/auth/login'), method: 'POST', path: '/api/auth/login' },
} as unknown as ApiContext

it('an overloaded site answers 503 and says when to come again', async () => {
  const answer = refuse(context, new Overloaded('no connection', { retryAfterSeconds: 3 }))
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '3'])
  expect(await answer.json()).toMatchObject({ error: { code: 'CONTROL_PLANE_UNAVAILABLE', retryAfterSeconds: 3 } })
})
