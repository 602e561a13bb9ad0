import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { API_ROUTES } from '#contracts/routes/routes.ts'
import type { ApiRoute } from '#contracts/routes/routes.ts'
import { takesTurn, turnOf } from '../../../src/server/sign-in-line.ts'

test.each([
  ['POST', '/api/auth/login', true],
  ['POST', '/api/auth/register', true],
  ['POST', '/api/auth/login/factor', true],
  ['POST', '/api/auth/passkey/login', true],
  ['POST', '/api/user/passkeys/7f0c/remove', true],
  ['GET', '/api/auth/login', false],
  ['POST', '/api/auth/loginx', false],
  ['POST', '/api/auth/refresh', false],
  ['POST', '/api/user/me', false],
])('%s %s waits in the line: %s', (method, path, isInLine) => {
  expect(takesTurn(method, path)).toBe(isInLine)
})

test('every call that takes a password waits in the line', () => {
  const asks = (Object.entries(API_ROUTES) as [string, ApiRoute][]).filter(([, { input, takes }]) => {
    if (input === undefined || takes === 'file') return false
    const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
    return ['password', 'currentPassword'].some((field) => field in properties)
  })
  expect(asks.map(([name]) => name)).toContain('POST /api/user/password')
  expect(asks.filter(([, row]) => row.takesTurn !== true).map(([name]) => name)).toEqual([])
})

const turn = (body: string, { cookie, address = '198.51.100.7' }: { cookie?: string; address?: string } = {}) =>
  turnOf({ headers: { cookie }, rawBody: Buffer.from(body) } as unknown as IncomingMessage, { address, isSecure: true })

test('requests of one IPv6 network share the turns of one caller', () => {
  const [one, other] = [turn('{}', { address: '2001:db8::1' }), turn('{}', { address: '2001:db8::2' })]
  expect(one).toEqual(other)
  expect(one).not.toEqual(turn('{}', { address: '2001:db8:0:1::1' }))
})

test('attempts on one account share its places, however its name is written', () => {
  const { subject } = turn('{"username":"anna"}')
  expect(subject).toBe(turn('{"username":" ANNA "}', { address: '192.0.2.1' }).subject)
  expect(subject).not.toBe(turn('{"username":"bela"}').subject)
  expect(subject).not.toBe(turn('{"username":"anna"}', { cookie: '__Host-bakter_device=x' }).subject)
})

test.each(['', 'null', '{', '[]', '{"username":5}'])('the body %j names no account', (body) => {
  expect(turn(body).subject).toBeUndefined()
})
