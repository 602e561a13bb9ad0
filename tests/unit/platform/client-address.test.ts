import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { clientAddress, trustFrom } from '#platform/client-address.ts'

const request = (peer: string, headers: Record<string, string> = {}) => {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: peer })
  const message = new IncomingMessage(socket)
  Object.assign(message.headers, headers)
  return message
}
const seen = (peer: string, forwarded: string | undefined, proxies: string[]) =>
  clientAddress(request(peer, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }), trustFrom(proxies))

const CASES: Record<string, { peer: string; forwarded?: string; proxies: string[]; client: string }> = {
  'without proxies a forged header changes nothing': {
    peer: '203.0.113.5',
    forwarded: '1.2.3.4',
    proxies: [],
    client: '203.0.113.5',
  },
  'a peer that is no proxy is not believed': {
    peer: '203.0.113.5',
    forwarded: '1.2.3.4',
    proxies: ['10.0.0.0/8'],
    client: '203.0.113.5',
  },
  'a proxy names its client': {
    peer: '10.0.0.2',
    forwarded: '203.0.113.5',
    proxies: ['10.0.0.0/8'],
    client: '203.0.113.5',
  },
  'what the client wrote before it changes nothing': {
    peer: '10.0.0.2',
    forwarded: '1.2.3.4, 203.0.113.5',
    proxies: ['10.0.0.0/8'],
    client: '203.0.113.5',
  },
  'two proxies are walked back': {
    peer: '10.0.0.2',
    forwarded: '1.2.3.4, 203.0.113.5, 10.0.0.1',
    proxies: ['10.0.0.0/8'],
    client: '203.0.113.5',
  },
  'loopback is a name': {
    peer: '::ffff:127.0.0.1',
    forwarded: '203.0.113.5',
    proxies: ['loopback'],
    client: '203.0.113.5',
  },
  'mapped addresses are IPv4': { peer: '::ffff:203.0.113.5', proxies: [], client: '203.0.113.5' },
  'a peer without an address is nobody': { peer: '', proxies: [], client: '' },
  IPv6: { peer: '::1', forwarded: '2001:db8::1', proxies: ['loopback'], client: '2001:db8::1' },
}

describe('the client is the rightmost untrusted hop', () => {
  test.each(Object.entries(CASES))('%s', (_name, { peer, forwarded, proxies, client }) => {
    expect(seen(peer, forwarded, proxies)).toBe(client)
  })
})
