import { expect, it } from 'vitest'
import { nodeAddress } from '@/lib/servers/node-address.ts'

it.each([
  ['https://node.test:8443', 'https://node.test:8443/servers/1/files'],
  ['https://node.test/agent/', 'https://node.test/agent/servers/1/files'],
  ['wss://node.test', 'https://node.test/servers/1/files'],
  ['ws://127.0.0.1:8080', 'http://127.0.0.1:8080/servers/1/files'],
  ['', 'https://bakter.test/servers/1/files'],
])('on a computer at %j is %s', (url, address) => {
  expect(nodeAddress({ url, path: '/servers/1/files' }, 'https://bakter.test/panel/1?x=1').href).toBe(address)
})
