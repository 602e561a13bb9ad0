import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { TokenAnswer } from '#contracts/http/auth.ts'
import { API_ROUTES } from '#contracts/routes/routes.ts'
import type { ApiRouteName } from '#contracts/routes/routes.ts'
import type { ApiEnv } from '../../../src/api/api-call.ts'
import { PASSWORD } from '../../support/people.ts'
import { openSite } from '../../support/site-routes.ts'
import type { OpenSite } from '../../support/site-routes.ts'

const CANARY = 'canary-of-another-column'
let site: OpenSite
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

/** The same, with a field more in every object. */
const laced = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(laced)
  if (typeof value !== 'object' || value === null) return value
  return { ...Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, laced(inner)])), hash: CANARY }
}

type Shape = { type?: unknown; additionalProperties?: unknown; properties?: Record<string, unknown> }
/** Where an answer may hold names that its schema does not list. */
const openPlaces = (schema: unknown, at = ''): string[] => {
  if (Array.isArray(schema)) return schema.flatMap((each, index) => openPlaces(each, `${at}/${index}`))
  if (typeof schema !== 'object' || schema === null) return []
  const { type, additionalProperties } = schema as Shape
  const own = type === 'object' && additionalProperties !== false ? [at] : []
  return [...own, ...Object.entries(schema).flatMap(([name, inner]) => openPlaces(inner, `${at}/${name}`))]
}

describe('a response of the API (case 32)', () => {
  test('a response has the fields of its row, whatever else a call returns', async () => {
    const username = 'answered'
    const names = { username, email: `${username}@example.test`, acceptTerms: true }
    await site.ask('POST /api/auth/register', { body: { ...names, password: PASSWORD, passwordConfirm: PASSWORD } })
    const signedIn = await site.ask('POST /api/auth/login', { body: { username, password: PASSWORD } })
    const headers = { authorization: `Bearer ${TokenAnswer.parse(signedIn.json).access_token}` }
    const me = await site.ask('GET /api/user/me', { headers })
    const user = { ...me.json, role: [{ name: 'role', isAdmin: 0, isSupport: 1 }] }
    const { serveRow } = await import('../../../src/api/serve-row.ts')
    const app = new Hono<ApiEnv>()
    app.get(
      '/me',
      serveRow(API_ROUTES['GET /api/user/me'], () => Promise.resolve({ body: laced(user) })),
    )
    const response = await app.request('/me', {}, { requestId: 'request-of-the-test', address: '10.0.0.1' })
    expect([response.status, await response.json()]).toEqual([200, user])
  })

  test('responses with free-form keys are in the list', () => {
    const open = (Object.keys(API_ROUTES) as ApiRouteName[]).filter((name) => {
      const output: z.ZodType = API_ROUTES[name].output
      return openPlaces(z.toJSONSchema(output, { unrepresentable: 'any' })).length > 0
    })
    // A library makes these answers for the browser, they are the file of the person's data, or their keys are options of a template.
    expect(open.toSorted()).toEqual([
      'GET /api/server/{id}/described-files',
      'POST /api/auth/passkey/options',
      'POST /api/user/export',
      'POST /api/user/passkeys/options',
    ])
  })
})
