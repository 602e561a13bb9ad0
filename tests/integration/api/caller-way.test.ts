import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { TokenAnswer } from '#contracts/http/auth.ts'
import { PASSWORD } from '../../support/people.ts'
import { openSite, type OpenSite } from '../../support/site-routes.ts'

/** The ways that the calls of people came with at the control plane, which refuses each of them. */
const ways: unknown[] = []
let controlPlane: Server
let site: OpenSite
beforeAll(async () => {
  controlPlane = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { caller } = JSON.parse(Buffer.concat(parts).toString('utf8') || '{}') as { caller?: { way?: unknown } }
      if (request.url?.endsWith('/power')) ways.push(caller?.way)
      response.writeHead(500, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => controlPlane.listen(0, '127.0.0.1', resolve))
  site = await openSite(`http://127.0.0.1:${(controlPlane.address() as AddressInfo).port}`)
})
afterAll(async () => {
  await site.close()
  controlPlane.closeAllConnections()
  controlPlane.close()
})

it('a call with a token in its header is a program’s, and one with cookies is the panel’s', async () => {
  const person = { username: 'scripts', email: 'scripts@example.test', acceptTerms: true }
  await site.ask('POST /api/auth/register', { body: { ...person, password: PASSWORD, passwordConfirm: PASSWORD } })
  const { json, cookies } = await site.ask('POST /api/auth/login', {
    body: { username: 'scripts', password: PASSWORD },
  })
  const authorization = `Bearer ${TokenAnswer.parse(json).access_token}`
  const cookie = cookies.map((each) => each.split(';', 1)[0]).join('; ')
  const body = { action: 'start', requestId: '01890000-0000-7000-8000-0000000000cc' }
  await site.ask('POST /api/server/{id}/power', { headers: { authorization }, body })
  await site.ask('POST /api/server/{id}/power', { headers: { cookie }, body })
  expect([...new Set(ways)]).toEqual(['api', 'panel'])
})
