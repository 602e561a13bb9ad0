import { describe, expect, it } from 'vitest'
import { redactFields, redactText } from '#platform/redaction.ts'

const CANARY = 'canary4711'

describe('a field never reaches a log', () => {
  it.each([
    'password',
    'passwordConfirm',
    'newPassword',
    'password_hash',
    'passphrase',
    'token',
    'access_token',
    'refreshToken',
    'tokens',
    'secret',
    'clientSecret',
    'SECRETS_KEY',
    'authorization',
    'Proxy-Authorization',
    'cookie',
    'Set-Cookie',
    'signature',
    'stripe-signature',
    'privateKey',
    'private_key',
    'apiKey',
    'x-api-key',
    'x-internal-secret',
    'credentials',
    'environment',
    'databaseUrl',
    'REDIS_URL',
  ])('that is called %s, at any depth', (name) => {
    const held = { [name]: CANARY }
    const fields = { ...held, a: held, b: [held], c: { d: { e: { f: { [name]: { deeper: CANARY } } } } } }
    const written = JSON.stringify(redactFields(fields))
    expect(written).not.toContain(CANARY)
    expect(JSON.parse(written)).toMatchObject({ a: { [name]: '[redacted]' } })
  })
})

it('fields that only sound alike stay', () => {
  const fields = { topic: 'a', cookieless: 1, username: 'anna', secretary: 'x', tokenless: true, envName: 'b', ms: 3 }
  expect(redactFields(fields)).toEqual(fields)
})

describe('a text loses', () => {
  it.each([
    ['a token behind #', `see https://host.test/reset#${CANARY} now`, 'see https://host.test/reset#[redacted] now'],
    ['a token behind # of a path', `GET /verify#${CANARY}`, 'GET /verify#[redacted]'],
    ['a token of a query', `https://h.test/a?b=1&token=${CANARY}&c=2`, 'https://h.test/a?b=1&token=[redacted]&c=2'],
    ['a ticket of a socket', `wss://h.test/ws?ticket=${CANARY}`, 'wss://h.test/ws?ticket=[redacted]'],
    ['a code of a sign-in', `/login?code=${CANARY}&state=x`, '/login?code=[redacted]&state=x'],
    ['the password of an address', `postgres://app:${CANARY}@db/x`, 'postgres://app:[redacted]@db/x'],
    ['an authorization', `authorization: Bearer ${CANARY}`, 'authorization: [redacted]'],
    ['a bearer', `sent Bearer ${CANARY} twice`, 'sent Bearer [redacted] twice'],
    ['a cookie', `cookie: a=b; session=${CANARY}`, 'cookie: [redacted]'],
    ['an assigned secret', `PASSWORD=${CANARY} rest`, 'PASSWORD=[redacted] rest'],
    ['a secret of JSON', `{"password":"${CANARY}","a":1}`, '{"password":"[redacted]","a":1}'],
  ])('%s', (_name, text, expected) => {
    expect(redactText(text)).toBe(expected)
    expect(redactFields({ text })).toEqual({ text: expected })
  })

  it('a signed token and a private key', () => {
    const token = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl'
    const key = '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA\n-----END PRIVATE KEY-----'
    expect(redactText(`a ${token} b ${key} c`)).toBe('a [redacted] b [redacted] c')
  })
})

it.each(['Basic authentication is refused', 'Order #12 of https://host.test/a?page=2', 'a = b', 'token expired'])(
  'the text %j stays',
  (text) => {
    expect(redactText(text)).toBe(text)
  },
)

describe('an error', () => {
  it('is its type, message, stack, code and causes, without secrets and without the rows of a database', () => {
    const cause = Object.assign(new Error(`postgres://app:${CANARY}@db refused`), { code: '28P01', detail: CANARY })
    const written = redactFields({ err: new TypeError(`no ${CANARY}`.replace(CANARY, 'luck'), { cause }) })
    expect(JSON.stringify(written)).not.toContain(CANARY)
    expect(written).toMatchObject({
      err: {
        type: 'TypeError',
        message: 'no luck',
        cause: { code: '28P01', message: 'postgres://app:[redacted]@db refused' },
      },
    })
    expect(JSON.stringify(written)).toContain('redaction.test')
  })

  it('that is its own cause, and fields that hold themselves, end', () => {
    const error = new Error('round')
    error.cause = error
    const round: Record<string, unknown> = { error }
    round['self'] = round
    expect(JSON.stringify(redactFields(round))).toContain('[circular]')
  })
})

it('a value that JSON does not know is written all the same', () => {
  const fields = { at: new Date(0), amount: 12n, bytes: new Uint8Array(3), call: () => 1, none: null }
  expect(redactFields(fields)).toEqual({ at: '1970-01-01T00:00:00.000Z', amount: '12', bytes: '[3 bytes]', none: null })
})
