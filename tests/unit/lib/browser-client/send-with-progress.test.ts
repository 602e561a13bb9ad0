import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sendWithProgress } from '../../../../src/lib/browser-client/send-with-progress.ts'

class FakeRequest {
  static last: FakeRequest
  readonly upload: { onprogress?: (event: { loaded: number }) => void } = {}
  readonly headers: Record<string, string> = {}
  readonly open = vi.fn<(method: string, url: string) => void>()
  readonly send = vi.fn<(body: unknown) => void>()
  status = 0
  responseText = ''
  responseHeaders = ''
  onload = () => {}
  onerror = () => {}
  onabort = () => {}
  constructor() {
    FakeRequest.last = this
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value
  }
  getAllResponseHeaders() {
    return this.responseHeaders
  }
  abort() {
    this.onabort()
  }
}

beforeEach(() => vi.stubGlobal('XMLHttpRequest', FakeRequest))
afterEach(() => vi.unstubAllGlobals())

const body = new Blob(['four'])

test('a file goes with its headers, its progress is told, and the answer is one of fetch', async () => {
  const sent: number[] = []
  const init = { method: 'PUT', headers: { 'x-a': '1' }, body }
  const answer = sendWithProgress('/api/x', init, (bytes) => sent.push(bytes))
  const request = FakeRequest.last
  expect([request.open.mock.calls, request.headers, request.send.mock.calls]).toEqual([
    [['PUT', '/api/x']],
    { 'x-a': '1' },
    [[body]],
  ])
  request.upload.onprogress?.({ loaded: 2 })
  Object.assign(request, {
    status: 429,
    responseText: '{"a":1}',
    responseHeaders: 'retry-after: 3\r\nx-request-id: a: b\r\n',
  })
  request.onload()
  const response = await answer
  expect([sent, response.status, Object.fromEntries(response.headers), await response.json()]).toEqual([
    [2],
    429,
    expect.objectContaining({ 'retry-after': '3', 'x-request-id': 'a: b' }),
    { a: 1 },
  ])
})

test('an answer without a body is one', async () => {
  const answer = sendWithProgress('/api/x', { body }, () => {})
  Object.assign(FakeRequest.last, { status: 204 })
  FakeRequest.last.onload()
  expect((await answer).status).toBe(204)
})

test('a lost connection rejects like fetch', async () => {
  const answer = sendWithProgress('/api/x', { body }, () => {})
  FakeRequest.last.onerror()
  await expect(answer).rejects.toThrow(TypeError)
})

test('its signal ends it, also before it has begun', async () => {
  const end = new AbortController()
  const answer = sendWithProgress('/api/x', { body, signal: end.signal }, () => {})
  end.abort()
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
  const second = sendWithProgress('/api/x', { body, signal: end.signal }, () => {})
  await expect(second).rejects.toMatchObject({ name: 'AbortError' })
  expect(FakeRequest.last.send).not.toHaveBeenCalled()
})
