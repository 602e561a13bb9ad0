import { expect, it } from 'vitest'
import { ownAddresses } from '../../../../agents/players/own-addresses.ts'

it('reads the addresses of the machine once in ten seconds, whatever is asked', () => {
  let nowMs = 1_000_000
  let addresses = ['192.0.2.1']
  let reads = 0
  const isOwn = ownAddresses({ now: () => nowMs }, () => {
    reads += 1
    return new Set(addresses)
  })
  expect([isOwn('127.0.0.9'), isOwn('::1'), reads]).toEqual([true, true, 0])
  expect([isOwn('192.0.2.1'), isOwn('192.0.2.2'), reads]).toEqual([true, false, 1])
  addresses = ['192.0.2.2']
  nowMs += 9_999
  expect([isOwn('192.0.2.2'), reads]).toEqual([false, 1])
  nowMs += 1
  expect([isOwn('192.0.2.2'), isOwn('192.0.2.1'), reads]).toEqual([true, false, 2])
  nowMs -= 3_600_000
  expect([isOwn('192.0.2.2'), reads]).toEqual([true, 3])
})
