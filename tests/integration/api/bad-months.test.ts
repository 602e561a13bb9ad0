import { afterAll, beforeAll, expect, test } from 'vitest'
import { TokenAnswer } from '#contracts/http/auth.ts'
import { ErrorBody } from '#contracts/http/errors.ts'
import { PASSWORD } from '../../support/people.ts'
import { openSite, type OpenSite } from '../../support/site-routes.ts'

let site: OpenSite
let headers: Record<string, string>
beforeAll(async () => {
  site = await openSite()
  const person = { username: 'anna', email: 'anna@example.test', acceptTerms: true }
  await site.ask('POST /api/auth/register', { body: { ...person, password: PASSWORD, passwordConfirm: PASSWORD } })
  const { json } = await site.ask('POST /api/auth/login', { body: { username: 'anna', password: PASSWORD } })
  headers = { authorization: `Bearer ${TokenAnswer.parse(json).access_token}`, 'idempotency-key': 'a-key-of-anna' }
})
afterAll(() => site.close())

const codeOf = (json: unknown) => ErrorBody.parse(json).error.code
const BAD = [0, -1, 7, 1.5, null, 'NaN', '1', '1e0', '10,5', '٣', 2 ** 63, [], [1], {}, true]

test.each(BAD.map((months) => [JSON.stringify(months), months]))(
  'renewing for %s months is a clear 400',
  async (_, months) => {
    const { status, json } = await site.ask('POST /api/server/{id}/renew', { headers, body: { months } })
    expect([status, codeOf(json)]).toEqual([400, 'VALIDATION'])
  },
)

test.each(['0', '7', '-1', '1.5', '1e0', ' 1', '01', '٣', '', 'NaN'])(
  'a quote for "%s" months gets a clear 400',
  async (months) => {
    const search = `?months=${encodeURIComponent(months)}`
    const { status, json } = await site.ask('GET /api/server/{id}/renewal', { headers, search })
    expect([status, codeOf(json)]).toEqual([400, 'VALIDATION'])
  },
)

test.each(['1e309', 2 ** 63, '1e3', '10,5', 'NaN', '٣', [], {}, 0.5])(
  'a price that is not a number of forints gets a clear 400: %s',
  async (expectedTotalFt) => {
    const body = { months: 1, expectedTotalFt }
    const { status, json } = await site.ask('POST /api/server/{id}/renew', { headers, body })
    expect([status, codeOf(json)]).toEqual([400, 'VALIDATION'])
  },
)

test('valid months reach the control plane, which does not respond here', async () => {
  for (const search of ['?months=1', '?months=6']) {
    expect((await site.ask('GET /api/server/{id}/renewal', { headers, search })).status).toBe(503)
  }
  expect((await site.ask('POST /api/server/{id}/renew', { headers, body: { months: 6 } })).status).toBe(503)
  const { status, json } = await site.ask('POST /api/server/{id}/renew', {
    headers: { authorization: headers['authorization'] ?? '' },
    body: { months: 1 },
  })
  expect([status, codeOf(json)]).toEqual([400, 'IDEMPOTENCY_KEY_MISSING'])
})
