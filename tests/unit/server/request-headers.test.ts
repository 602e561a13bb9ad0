import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { trustFrom } from '#platform/client-address.ts'
import { isLoopbackAlias, ownHeaders } from '../../../src/server/request-headers.ts'

const request = (peer: string, headers: Record<string, string> = {}) => {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: peer })
  const message = new IncomingMessage(socket)
  Object.assign(message.headers, headers)
  return message
}
describe('what stands behind the server sees our own headers', () => {
  const options = { trust: trustFrom(['10.0.0.0/8']), siteUrl: 'https://bakter.test' }

  test('forged headers are gone', () => {
    const message = request('203.0.113.5', {
      host: 'evil.test',
      'x-forwarded-host': 'evil.test',
      'x-forwarded-proto': 'http',
      'x-forwarded-for': '1.2.3.4',
      forwarded: 'for=1.2.3.4;host=evil.test',
      'x-bakter-address': '1.2.3.4',
      'x-request-id': 'chosen-by-the-client',
    })
    const { requestId } = ownHeaders(message, options)
    expect(requestId).toMatch(/^[0-9a-f]{24}$/)
    expect(message.headers).toEqual({
      host: 'bakter.test',
      'x-forwarded-host': 'bakter.test',
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '203.0.113.5',
      'x-bakter-address': '203.0.113.5',
      'x-request-id': requestId,
    })
  })

  test('a proxy of ours may name the request, in a form that fits a log', () => {
    const id = (value: string) => ownHeaders(request('10.0.0.2', { 'x-request-id': value }), options).requestId
    expect(id('abc-123-def')).toBe('abc-123-def')
    expect(id('with space and\nline')).toMatch(/^[0-9a-f]{24}$/)
  })
})

test('this machine under another of its names is sent to the one of SITE_URL', () => {
  expect(isLoopbackAlias('localhost:3000', 'http://127.0.0.1:3000')).toBe(true)
  expect(isLoopbackAlias('127.0.0.1:3000', 'http://127.0.0.1:3000')).toBe(false)
  expect(isLoopbackAlias('localhost:4000', 'http://127.0.0.1:3000')).toBe(false)
  expect(isLoopbackAlias('evil.test', 'http://127.0.0.1:3000')).toBe(false)
  expect(isLoopbackAlias('localhost', 'https://bakter.test')).toBe(false)
})
