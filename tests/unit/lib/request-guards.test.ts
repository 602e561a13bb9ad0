import * as z from 'zod'
import { describe, expect, test } from 'vitest'
import { RegisterRequest } from '#contracts/http/auth.ts'
import { ApiError } from '../../../src/lib/api-error.ts'
import { parsePart, readJson, refuseForeign } from '../../../src/lib/request-guards.ts'

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

test('each field gets the code of its first fault', () => {
  const parse = (value: unknown) => {
    try {
      parsePart(RegisterRequest, value)
      return null
    } catch (error) {
      return error instanceof ApiError ? error.facts.fields : error
    }
  }
  expect(parse({ username: 'root', email: 'x', password: 'short', acceptTerms: false })).toEqual({
    username: 'reserved',
    email: 'invalid',
    password: 'tooShort',
    passwordConfirm: 'required',
    acceptTerms: 'accept',
  })
  const fine = { username: 'alice', email: 'a@example.test', password: 'long enough', acceptTerms: true }
  expect(parse({ ...fine, passwordConfirm: 'other' })).toEqual({ passwordConfirm: 'mismatch' })
  expect(parse({ ...fine, passwordConfirm: 'long enough' })).toBeNull()
})

test('a number out of its bounds is told apart from a text, and a fraction from both', () => {
  const Months = z.object({ months: z.int().min(1).max(6) })
  const fault = (months: unknown) => {
    try {
      parsePart(Months, { months })
      return null
    } catch (error) {
      return error instanceof ApiError ? error.facts.fields : error
    }
  }
  expect(fault(0)).toEqual({ months: 'tooSmall' })
  expect(fault(7)).toEqual({ months: 'tooLarge' })
  expect(fault(1.5)).toEqual({ months: 'notWhole' })
  expect(fault('3')).toEqual({ months: 'invalid' })
  expect(fault(2)).toBeNull()
})
