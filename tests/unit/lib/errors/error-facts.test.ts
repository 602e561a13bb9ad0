import { describe, expect, it, test } from 'vitest'

import { ErrorReport } from '#contracts/http/error-report.ts'
import { errorFacts, scrubbed } from '../../../../src/lib/errors/error-facts.ts'

describe('what is told of an error in a browser', () => {
  test.each([
    [
      "Cannot read properties of undefined (reading 'balance')",
      "Cannot read properties of undefined (reading 'balance')",
    ],
    ['mail of őrsi.panni@példa.hu failed', 'mail of <address> failed'],
    ['no server 01900000-0000-7000-8000-00000000dead here', 'no server <id> here'],
    ['203.0.113.7 said no', '<ip> said no'],
    ['bad eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl', 'bad <token>'],
    [
      'Unexpected token, "my long secret diary of today" is not valid JSON',
      'Unexpected token, "<text>" is not valid JSON',
    ],
    ['at https://a.test/x.js?token=abc:1:2', 'at https://a.test/x.js:1:2'],
    ['at https://a.test/x.js#token=abc:1:2', 'at https://a.test/x.js:1:2'],
    ['no page https://a.test/reset#sekrit is open', 'no page https://a.test/reset is open'],
    ['no page https://a.test/reset?sekrit#sekrit is open', 'no page https://a.test/reset is open'],
    ['one\u0000two\u001b[31m\u202ethree', 'one two [31m three'],
  ])('%j becomes %j', (text, expected) => {
    expect(scrubbed(text, 300)).toBe(expected)
  })

  it('keeps the places in the scripts, and nothing of the message that a stack repeats', () => {
    const error = new Error('secret of panni')
    error.stack = [
      'Error: secret of panni',
      'second line of the secret',
      '    at Board (https://bakter.test/_next/static/chunks/0f3a-9d21c7e5b8a44f60.js?dpl=1:12:345)',
      'draw@https://bakter.test/_next/static/chunks/77.js:1:2',
    ].join('\n')
    expect(errorFacts(error, '/panel/01900000-0000-7000-8000-00000000dead/console?x=1#y')).toEqual({
      name: 'Error',
      message: 'secret of panni',
      stack:
        'at Board (https://bakter.test/_next/static/chunks/0f3a-9d21c7e5b8a44f60.js:12:345)\n' +
        'draw@https://bakter.test/_next/static/chunks/77.js:1:2',
      page: '/panel/<id>/console',
    })
  })

  it.each(['/mail#token=sekrit', '/mail?token=sekrit', '/mail?a=b#sekrit'])('keeps the path alone of %s', (path) => {
    expect(errorFacts(new Error('no'), path).page).toBe('/mail')
  })

  it('fits the contract whatever was thrown', () => {
    const reportId = '0b54a2f4-6d3c-4f0e-9a51-0d3d4f9f4d11'
    const huge = 'a b@c.d "'.repeat(20_000)
    for (const error of [
      {},
      { name: huge, message: huge, stack: `${huge}:1:2\n`.repeat(20) },
      { name: 7, stack: null },
    ]) {
      expect(ErrorReport.safeParse({ reportId, ...errorFacts(error, huge) }).success).toBe(true)
    }
  })
})
