import { expect, it } from 'vitest'
import { refuseJsonQuery } from '../../../../src/cms/rest/refuse-json-query.ts'

const send = (headers: Record<string, string>) =>
  refuseJsonQuery(() => Promise.resolve(new Response('passed')))(
    new Request('https://site.test/api/cms/users', { method: 'POST', body: '{', headers }),
    undefined,
  )

it.each(['X-Payload-HTTP-Method-Override', 'X-HTTP-Method-Override'])(
  'refuses a query as JSON under %s',
  async (name) => {
    expect((await send({ [name]: 'GET', 'content-type': 'application/json' })).status).toBe(400)
  },
)

it.each([
  ['a document', { 'content-type': 'application/json' }],
  [
    'a query as a form',
    { 'content-type': 'application/x-www-form-urlencoded', 'X-Payload-HTTP-Method-Override': 'GET' },
  ],
])('lets %s pass', async (_name, headers) => {
  expect(await (await send(headers)).text()).toBe('passed')
})
