import { createServer } from 'node:http'

import { describe, expect, it, onTestFinished } from 'vitest'

import { httpResponder } from '../../../../agents/acme/http-responder.ts'
import { freePort } from '../../../support/free-port.ts'

const TOKEN = 'dG9rZW4tb2YtdGhlLXRlc3Q'

describe('the answer to the check http-01', () => {
  it('is there for one token while it is open, on every address, and nothing else is', async () => {
    const port = await freePort()
    const close = await httpResponder(['127.0.0.1', '::1'], port)(TOKEN, `${TOKEN}.thumb`)
    for (const host of ['127.0.0.1', '[::1]']) {
      const base = `http://${host}:${port}`
      const answer = await fetch(`${base}/.well-known/acme-challenge/${TOKEN}`)
      expect(answer.headers.get('content-type')).toBe('application/octet-stream')
      expect(await answer.text()).toBe(`${TOKEN}.thumb`)
      for (const path of [
        '/',
        '/.well-known/acme-challenge/',
        `/.well-known/acme-challenge/${TOKEN}x`,
        '/servers/1/ws',
      ]) {
        expect((await fetch(base + path)).status).toBe(404)
      }
      const post = await fetch(`${base}/.well-known/acme-challenge/${TOKEN}`, { method: 'POST', body: 'x' })
      expect(post.status).toBe(404)
    }
    await close()
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed')
  })

  it('says in one sentence that its port is taken, and leaves no other listener behind', async () => {
    const taken = createServer()
    const port = await freePort()
    await new Promise<void>((resolve) => taken.listen(port, '::1', resolve))
    onTestFinished(() => void taken.close())
    await expect(httpResponder(['127.0.0.1', '::1'], port)(TOKEN, 'text')).rejects.toThrow(
      `Port ${port} of ::1 cannot be opened (EADDRINUSE); the authority's check is answered there.`,
    )
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed')
  })
})
