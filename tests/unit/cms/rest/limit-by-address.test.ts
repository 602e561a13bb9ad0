import { expect, it } from 'vitest'
import { ROUTE_LIMITS } from '#contracts/http/limits.ts'
import { memoryLimitStore } from '../../../../src/identity/limit-store.ts'
import { limitByAddress } from '../../../../src/cms/rest/limit-by-address.ts'

const limits = memoryLimitStore({ now: () => 0 })
const limited = limitByAddress(
  () => Promise.resolve(new Response('read')),
  () => limits,
)
const ask = (path: string, address: string) =>
  limited(new Request(`https://site.example/api/cms/${path}`, { headers: { 'x-bakter-address': address } }), {})

it('an address reads so much and no more; another reads on, and pictures are never counted', async () => {
  for (let at = 0; at < ROUTE_LIMITS.publicRead.burst; at += 1) {
    expect((await ask('services', '192.0.2.1')).status).toBe(200)
  }
  const refused = await ask('services', '192.0.2.1')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  expect((await ask('services', '192.0.2.2')).status).toBe(200)
  expect((await ask('media/file/a.png', '192.0.2.1')).status).toBe(200)
})
