import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { INTERNAL_HEADERS } from '#contracts/internal-api/calls.ts'
import { sitePicturesAt } from '../../../control-plane/tickets/mail/site-pictures.ts'
import { internalCalls } from '../../../src/server/internal-calls.ts'
import { promisedPng } from '../../support/hostile-pictures.ts'

const SECRET = 'the secret of both programs'
// A picture needs nothing of identity.
const calls = internalCalls({ secret: SECRET, identity: () => ({}) as never })
const server = createServer((request, response) => {
  void calls(request, request.url ?? '')
    .catch(() => ({ status: 500, body: {} }))
    .then((answer) => response.writeHead(answer?.status ?? 404).end(JSON.stringify(answer?.body)))
})
let url: string
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

const post = (body: string, secret?: string) =>
  fetch(`${url}/internal/picture`, {
    method: 'POST',
    body,
    ...(secret === undefined ? {} : { headers: { [INTERNAL_HEADERS.secret]: secret } }),
  })
const picture = () => sharp({ create: { width: 30, height: 20, channels: 3, background: '#204060' } })
const encoded = async () => JSON.stringify({ bytes: (await picture().png().toBuffer()).toString('base64') })

describe('/internal/picture', () => {
  test('a picture comes back encoded anew, without what was hidden in it', async () => {
    const hidden = await picture()
      .withExif({ IFD0: { Copyright: 'canary-place' } })
      .jpeg()
      .toBuffer()
    const kept = await sitePicturesAt({ url, secret: SECRET })(Buffer.concat([hidden, Buffer.from('<script>')]))
    expect(await sharp(kept ?? Buffer.of()).metadata()).toMatchObject({ format: 'jpeg', width: 30, height: 20 })
    expect(Buffer.from(kept ?? []).toString('latin1')).not.toMatch(/canary-place|<script>/)
  })

  test('a picture that is damaged or too large is none', async () => {
    const rewrite = sitePicturesAt({ url, secret: SECRET })
    expect(await rewrite(promisedPng(50_000, 50_000))).toBeNull()
    expect(await rewrite(Buffer.from('no picture at all'))).toBeNull()
  })

  test.each([undefined, '', 'a wrong secret', `${SECRET}x`])('nobody gets in with the secret %j', async (secret) => {
    expect((await post(await encoded(), secret)).status).toBe(401)
  })

  test.each([
    ['no JSON', 'bytes'],
    ['no picture', '{}'],
    ['text that is no base64', '{"bytes":"%%"}'],
    ['another field', '{"bytes":"AAAA","path":"/etc/passwd"}'],
    ['more than a picture may have', JSON.stringify({ bytes: 'A'.repeat(17 * 1_024 * 1_024) })],
  ])('%s is refused', async (_what, body) => {
    expect((await post(body, SECRET)).status).toBe(400)
  })

  test('a site that refuses the picture leaves the mail to another try', async () => {
    await expect(sitePicturesAt({ url, secret: 'another secret' })(Buffer.from('x'))).rejects.toThrow('401')
  })
})
