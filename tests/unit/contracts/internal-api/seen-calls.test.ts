import { expect, test } from 'vitest'
import { isSeenCall, isSeenRoute, SEEN_CALLS } from '#contracts/internal-api/seen-calls.ts'
import { API_ROUTES, type ApiRoute } from '#contracts/routes/routes.ts'

test('every call that is answered while looking as a collaborator is about one server, and forwarded as the table says', () => {
  for (const [name, call] of Object.entries(SEEN_CALLS)) {
    expect(name).toContain(' /api/server/{id}')
    const { call: forwarded } = (API_ROUTES as Readonly<Record<string, ApiRoute>>)[name] ?? {}
    // The activities are forwarded by a handler of their own.
    if (!name.endsWith('/activities')) expect([name, forwarded]).toEqual([name, call])
    expect([isSeenRoute(name), isSeenCall(call)]).toEqual([true, true])
  }
})

test('besides reading it asks only for tokens, which say themselves that they only look', () => {
  const others = Object.keys(SEEN_CALLS).filter((name) => !name.startsWith('GET '))
  expect(others).toEqual(['POST /api/server/{id}/token'])
})
