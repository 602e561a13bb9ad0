import { describe, expect, test } from 'vitest'
import { ApiError } from '../../../../src/lib/site/api-error.ts'
import { readFile, readJson, refuseForeign } from '../../../../src/lib/site/request-body.ts'

const SITE = 'https://bakter.test'
const verdict = (headers: Record<string, string>) => {
  try {
    refuseForeign(new Headers(headers), SITE)
    return 'passes'
  } catch (error) {
    return error instanceof ApiError ? error.code : error
  }
}
const cookie = { cookie: 'bakter_access=x' }

describe('a changing request (case 152)', () => {
  test.each([
    ['of this page', { ...cookie, 'sec-fetch-site': 'same-origin', origin: SITE }, 'passes'],
    ['of this page in an older browser', { ...cookie, origin: SITE }, 'passes'],
    ['of another site', { ...cookie, 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }, 'CSRF'],
    [
      'of a customer host under the same domain',
      { ...cookie, 'sec-fetch-site': 'same-site', origin: 'https://mc.bakter.test' },
      'CSRF',
    ],
    ['of another site in an older browser', { ...cookie, origin: 'https://evil.test' }, 'CSRF'],
    ['of a sandboxed frame', { ...cookie, origin: 'null' }, 'CSRF'],
    [
      'that lies about Origin cannot lie about Sec-Fetch-Site',
      { ...cookie, origin: SITE, 'sec-fetch-site': 'cross-site' },
      'CSRF',
    ],
    ['with a cookie and without a word', cookie, 'CSRF'],
    ['of a program with a bearer token', { authorization: 'Bearer x' }, 'passes'],
    ['of a program that signs in', {}, 'passes'],
    ['of another page that signs in for the reader', { 'sec-fetch-site': 'cross-site' }, 'CSRF'],
  ])('%s', (_name, headers, expected) => {
    expect(verdict(headers as Record<string, string>)).toBe(expected)
  })
})

const post = (body: BodyInit, type?: string) =>
  new Request(SITE, { method: 'POST', body, ...(type === undefined ? {} : { headers: { 'content-type': type } }) })

describe('a body', () => {
  test('is JSON', async () => {
    expect(await readJson(post('{"a":1}', 'application/json; charset=utf-8'))).toEqual({ a: 1 })
    expect(await readJson(new Request(SITE, { method: 'POST' }))).toEqual({})
  })
  test.each(['Application/JSON', 'application/json;charset=UTF-8', ' application/json ;x=y'])(
    'is JSON by the type %s, too',
    async (type) => {
      expect(await readJson(post('{"a":1}', type))).toEqual({ a: 1 })
    },
  )
  test.each([
    'text/plain',
    'Text/Plain; charset=utf-8',
    'application/x-www-form-urlencoded',
    'Multipart/Form-Data; boundary=x',
  ])('that is a file is refused as %s: a form sends it across sites', async (type) => {
    await expect(readFile(post('bytes', type))).rejects.toMatchObject({ code: 'CSRF' })
  })
  test('that is a file is read whatever its type is', async () => {
    const bytes = await readFile(post('bytes', 'image/png; x=y'))
    expect(Buffer.from(bytes).toString()).toBe('bytes')
    await expect(readFile(new Request(SITE, { method: 'POST' }))).rejects.toMatchObject({ code: 'CSRF' })
  })
  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'as %s is refused: a form sends it across sites',
    async (type) => {
      await expect(readJson(post('{"a":1}', type))).rejects.toMatchObject({ code: 'CSRF' })
    },
  )
  test('that is no JSON is refused', async () => {
    await expect(readJson(post('{', 'application/json'))).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })
  test('of more than 64 KiB is refused, whatever its declared length', async () => {
    const big = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (let at = 0; at < 3; at += 1) controller.enqueue(new Uint8Array(30_000).fill(32))
        controller.close()
      },
    })
    const request = new Request(SITE, {
      method: 'POST',
      body: big,
      headers: { 'content-type': 'application/json' },
      duplex: 'half',
    } as RequestInit)
    await expect(readJson(request)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
  })
})
