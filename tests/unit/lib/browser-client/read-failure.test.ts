import { expect, test } from 'vitest'
import { readFailure } from '../../../../src/lib/browser-client/read-failure.ts'

const answer = (error: unknown, headers: Record<string, string> = {}, status = 503) =>
  readFailure(new Response(JSON.stringify({ error }), { status, headers }))
const ERROR = { code: 'TOO_MANY_REQUESTS', message: 'Too many.' }

test.each([
  ['its body', { ...ERROR, retryAfterSeconds: 7 }, {}, 7],
  ['its body before its header', { ...ERROR, retryAfterSeconds: 7 }, { 'retry-after': '9' }, 7],
  ['its header', ERROR, { 'retry-after': '9' }, 9],
  ['a date in its header, which counts as a minute', ERROR, { 'retry-after': 'Thu, 26 Nov 2026 02:00:00 GMT' }, 60],
  ['nothing', ERROR, {}, null],
])('the wait of a failure comes from %s', async (_name, error, headers, seconds) => {
  expect((await answer(error, headers)).retryAfterSeconds).toBe(seconds)
})

test('a failure keeps the facts and fields of its body, and nothing of another type', async () => {
  const failure = await answer({
    ...ERROR,
    requestId: 'of-the-body',
    fields: { amount: 'invalid', other: 7 },
    params: { price: '410', maximum: 5, nested: {} },
  })
  expect(failure).toMatchObject({ code: 'TOO_MANY_REQUESTS', status: 503, message: 'Too many.' })
  expect([failure.fields, failure.params]).toEqual([{ amount: 'invalid' }, { price: '410', maximum: 5 }])
  expect(failure.requestId).toBe('of-the-body')
})

test.each([
  ['a page', '<html>'],
  ['a list', '[]'],
  ['an error without a code', '{"error":{"message":"x"}}'],
])('%s in place of a refusal is unreadable, and keeps the request’s id', async (_name, body) => {
  const failure = await readFailure(new Response(body, { status: 502, headers: { 'x-request-id': 'of-the-header' } }))
  expect(failure).toMatchObject({ code: 'UNREADABLE', status: 502, requestId: 'of-the-header' })
})
