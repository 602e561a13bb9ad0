import { expect, it } from 'vitest'
import { refuseJsonQuery } from '../../../../src/cms/rest/refuse-json-query.ts'

const send = (headers: Record<string, string>) =>
  refuseJsonQuery(() => Promise.resolve(new Response('passed')))(
    new Request('https://site.test/api/cms/users', { method: 'POST', body: '{', headers }),
    undefined,
  )

const OVERRIDES = ['X-Payload-HTTP-Method-Override', 'X-HTTP-Method-Override']
const JSON_TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'Application/JSON',
  'application/merge-patch+json',
]

it.each(OVERRIDES.flatMap((name) => JSON_TYPES.map((type) => [name, type] as const)))(
  'a query under %s of the type %s is refused',
  async (name, type) => {
    expect((await send({ [name]: 'GET', 'content-type': type })).status).toBe(400)
  },
)

it.each([
  ['a document', { 'content-type': 'application/json' }],
  ['a document with its encoding', { 'content-type': 'application/json; charset=utf-8' }],
  [
    'a query as a form',
    { 'content-type': 'application/x-www-form-urlencoded', 'X-Payload-HTTP-Method-Override': 'GET' },
  ],
])('%s passes', async (_name, headers) => {
  expect(await (await send(headers)).text()).toBe('passed')
})
