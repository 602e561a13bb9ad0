import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TokenAnswer } from '#contracts/http/auth.ts'
import { ErrorBody } from '#contracts/http/errors.ts'
import { isSeenRoute } from '#contracts/internal-api/seen-calls.ts'
import { SEE_AS_HEADER } from '#contracts/panel/see-as.ts'
import { API_ROUTES, type ApiRoute, type ApiRouteName } from '#contracts/routes/routes.ts'
import { PASSWORD } from '../../support/people.ts'
import { openSite, type OpenSite } from '../../support/site-routes.ts'

const ID = '01890000-0000-7000-8000-0000000000cc'
let site: OpenSite
let headers: Record<string, string>
beforeAll(async () => {
  site = await openSite()
  const person = { username: 'looks', email: 'looks@example.test', acceptTerms: true }
  await site.ask('POST /api/auth/register', { body: { ...person, password: PASSWORD, passwordConfirm: PASSWORD } })
  const { json } = await site.ask('POST /api/auth/login', { body: { username: 'looks', password: PASSWORD } })
  headers = { authorization: `Bearer ${TokenAnswer.parse(json).access_token}` }
})
afterAll(() => site.close())

const codeOf = (json: unknown) => ErrorBody.safeParse(json).data?.error.code
const ROWS = Object.entries(API_ROUTES) as [ApiRouteName, ApiRoute][]
const OF_PEOPLE = ROWS.flatMap(([name, { auth }]) => (auth === 'user' ? [name] : []))

describe('a request that looks as a collaborator', () => {
  test.each(OF_PEOPLE.filter((name) => !isSeenRoute(name)))('%s is refused with words', async (name) => {
    const { status, json } = await site.ask(name, { headers: { ...headers, [SEE_AS_HEADER]: ID }, body: {} })
    expect([status, codeOf(json)]).toEqual([403, 'SEEING_AS'])
    expect(ErrorBody.parse(json).error.message.length).toBeGreaterThan(20)
  })

  test.each(OF_PEOPLE.filter(isSeenRoute))(
    '%s reaches the control plane, and with nobody’s id it does not',
    async (name) => {
      const answer = await site.ask(name, { headers: { ...headers, [SEE_AS_HEADER]: ID }, body: { purpose: 'files' } })
      expect(codeOf(answer.json)).toBe('CONTROL_PLANE_UNAVAILABLE')
      for (const nobody of ['', 'me', `${ID} ${ID}`]) {
        const other = await site.ask(name, {
          headers: { ...headers, [SEE_AS_HEADER]: nobody },
          body: { purpose: 'files' },
        })
        expect([nobody, codeOf(other.json)]).toEqual([nobody, 'NOT_FOUND'])
      }
    },
  )
})
