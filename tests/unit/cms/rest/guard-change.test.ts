import { expect, it } from 'vitest'
import { guardChange } from '../../../../src/cms/rest/guard-change.ts'

const SITE = 'https://site.example'
const guarded = guardChange(
  () => Promise.resolve(new Response('changed')),
  () => SITE,
)
const statusFor = async (headers: Record<string, string>) =>
  (await guarded(new Request(`${SITE}/api/cms/users/1`, { method: 'PATCH', headers }), {})).status

it.each<[string, Record<string, string>, number]>([
  ['from the own page', { cookie: 'a=b', 'sec-fetch-site': 'same-origin', origin: SITE }, 200],
  ['with the own origin alone', { cookie: 'a=b', origin: SITE }, 200],
  ['with a bearer token', { authorization: 'Bearer x' }, 200],
  ['with a cookie that says nothing of its page', { cookie: 'a=b' }, 403],
  ['from another site', { cookie: 'a=b', 'sec-fetch-site': 'cross-site', origin: SITE }, 403],
  ['from another origin', { cookie: 'a=b', origin: 'https://evil.example' }, 403],
])('a change %s answers as it should (security case 152)', async (_what, headers, status) => {
  expect(await statusFor(headers)).toBe(status)
})
