import type { IncomingMessage, ServerResponse } from 'node:http'

import { expect, test } from 'vitest'

import { answerBusy } from '../../../src/server/busy-answer.ts'

const answerTo = (url: string, headers: Record<string, string> = {}) => {
  const said = { status: 0, headers: {} as Record<string, string>, body: '' }
  const response = {
    writeHead: (status: number, sent: Record<string, string>) => Object.assign(said, { status, headers: sent }),
    end: (body: string) => Object.assign(said, { body }),
  }
  answerBusy({ url, headers } as unknown as IncomingMessage, response as unknown as ServerResponse)
  return said
}

test.each([
  ['/hu/blog', {}, 'Most nagyon sokan vannak itt'],
  ['/de', { 'accept-language': 'hu' }, 'Gerade ist hier sehr viel los'],
  ['/blog', { 'accept-language': 'hu-HU,hu' }, 'Most nagyon sokan vannak itt'],
  ['/blog', { cookie: 'i18n=de', 'accept-language': 'hu' }, 'Gerade ist hier sehr viel los'],
  ['/', {}, "We're very busy right now"],
])('The refusal of %s with %j is a sentence in its language, and names a time', (url, headers, sentence) => {
  const said = answerTo(url, headers)
  expect(said.status).toBe(503)
  expect(said.body).toContain(sentence)
  expect(Number(said.headers['Retry-After'])).toBeGreaterThan(0)
  expect(said.headers['Content-Type']).toBe('text/plain; charset=utf-8')
})

test('The refusal of a call is the error of the contract', () => {
  const said = answerTo('/api/services?page=1')
  expect(JSON.parse(said.body)).toMatchObject({ error: { code: 'BUSY', retryAfterSeconds: 5 } })
})
