import { expect, test } from 'vitest'
import { createWaitingStops } from '../../../../src/lib/servers/waiting-stops.ts'
import { manualTimers } from '../../lib/realtime/manual-timers.ts'

const build = () => {
  const timers = manualTimers()
  const stops = createWaitingStops(timers, 5_000)
  const sent: string[] = []
  return { timers, stops, sent, begin: (id: string) => stops.begin(id, () => sent.push(id)) }
}

test('a stop is sent after the time to take it back, and once', async () => {
  const { timers, stops, sent, begin } = build()
  begin('a')
  begin('a')
  await timers.advance(4_999)
  expect([sent, stops.isWaiting('a')]).toEqual([[], true])
  await timers.advance(1)
  expect([sent, stops.isWaiting('a')]).toEqual([['a'], false])
  await timers.advance(10_000)
  expect(sent).toEqual(['a'])
})

test('a stop that was taken back is never sent, and another server still stops', async () => {
  const { timers, stops, sent, begin } = build()
  begin('a')
  begin('b')
  stops.takeBack('a')
  expect(stops.isWaiting('a')).toBe(false)
  await timers.advance(5_000)
  expect(sent).toEqual(['b'])
})

test('a page that is left sends its stops at once', async () => {
  const { timers, stops, sent, begin } = build()
  begin('a')
  stops.sendAll()
  expect(sent).toEqual(['a'])
  await timers.advance(5_000)
  expect(sent).toEqual(['a'])
})

test('listeners learn when a server begins to wait and when it no longer does', () => {
  const { stops, begin } = build()
  const seen: boolean[] = []
  const forget = stops.subscribe(() => seen.push(stops.isWaiting('a')))
  begin('a')
  stops.takeBack('a')
  forget()
  begin('a')
  expect(seen).toEqual([true, false])
})
