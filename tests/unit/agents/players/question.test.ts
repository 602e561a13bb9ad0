import { expect, it } from 'vitest'
import { ownAddresses } from '../../../../agents/players/own-addresses.ts'
import { questionOf } from '../../../../agents/players/question.ts'
import { buildServerSpec } from '../../../factories/server-spec.ts'

const isOwnAddress = ownAddresses({ now: Date.now })
const query = { type: 'protocol-minecraftvanilla', port: null }
const allocations = [
  { ip: '127.0.0.1', port: 25_566, primary: false },
  { ip: '127.0.0.1', port: 25_565, primary: true },
]
const asked = (change: Parameters<typeof buildServerSpec>[0]) => questionOf(buildServerSpec(change), isOwnAddress)

it('asks the primary port, or the one that the template names', () => {
  expect(asked({ query, allocations })).toEqual({ type: query.type, ip: '127.0.0.1', port: 25_565 })
  expect(asked({ query: { ...query, port: 0 }, allocations })?.port).toBe(25_566)
})

it('asks no port that the server does not have', () => {
  expect(asked({ query: { ...query, port: 2 }, allocations })).toBeUndefined()
})

it('asks nothing without a query, or with one of another release', () => {
  expect(asked({ query: null, allocations })).toBeUndefined()
  expect(asked({ allocations })).toBeUndefined()
  // FiveM's query fetches web pages and follows where they lead.
  for (const type of ['protocol-fivem', 'gta5f', 'protocol-epic', 'discord']) {
    expect(asked({ query: { type, port: null }, allocations })).toBeUndefined()
  }
})

it.each(['192.0.2.7', '169.254.169.254', '2001:db8::1', 'metadata.internal', '127.0.0.1.example', ''])(
  'sends nothing to %s, which is not this machine',
  (ip) => {
    expect(asked({ query, allocations: [{ ip, port: 25_565, primary: true }] })).toBeUndefined()
  },
)

it.each([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])('asks a server at %s on %s', (ip, at) => {
  expect(asked({ query, allocations: [{ ip, port: 25_565, primary: true }] })?.ip).toBe(at)
})
