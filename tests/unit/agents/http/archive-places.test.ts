import { beforeEach, describe, expect, it } from 'vitest'

import { OVERLOAD } from '#contracts/overload.ts'
import { ArchivePlaces, type RunningDownload } from '../../../../agents/http/archive-places.ts'
import { ManualClock } from '../../../setup/manual-clock.ts'
import { ManualTimers } from '../../../support/manual-timers.ts'

const { atOnce, perUser, leastBytesPerSecond, windowMs, turnMs } = OVERLOAD.agent.archives
let clock: ManualClock
let timers: ManualTimers
let places: ArchivePlaces
beforeEach(() => {
  clock = new ManualClock()
  timers = new ManualTimers(clock)
  places = new ArchivePlaces({ clock, timers }, OVERLOAD.agent.archives)
})

/** A download that reads at a constant rate from now on. */
const reader = (userId: string, bytesPerSecond: number) => {
  const sinceMs = clock.now()
  const download = {
    userId,
    isCut: false,
    bytes: () => ((clock.now() - sinceMs) / 1_000) * bytesPerSecond,
    cut: () => {
      download.isCut = true
    },
  }
  return download satisfies RunningDownload
}
const enter = (userId: string, bytesPerSecond: number) => {
  const download = reader(userId, bytesPerSecond)
  if (!places.hasRoomFor(userId)) return undefined
  places.take(download)
  return download
}
const fill = (bytesPerSecond: (at: number) => number) =>
  Array.from({ length: atOnce }, (_, at) => enter(`user ${at}`, bytesPerSecond(at)))

describe('places of downloads', () => {
  it('are taken by no user alone', () => {
    for (let count = 0; count < perUser; count += 1) expect(enter('anna', 1e6)).toBeDefined()
    expect(enter('anna', 1e6)).toBeUndefined()
    expect(enter('bela', 1e6)).toBeDefined()
  })

  it('are kept by readers that are fast enough, until their turn is over for a user without one', async () => {
    const held = fill(() => leastBytesPerSecond * 2)
    await timers.advance(3 * windowMs)
    expect(enter('late', 1e6)).toBeUndefined()
    expect(enter('user 0', 1e6)).toBeUndefined()
    await timers.advance(turnMs)
    expect(enter('user 0', 1e6)).toBeUndefined()
    expect(held.some((download) => download?.isCut)).toBe(false)
    expect(enter('late', 1e6)).toBeDefined()
    expect(held.map((download) => download?.isCut)).toEqual([true, false, false, false])
  })

  it('are lost by the slowest reader below the least rate when somebody waits, and not before', async () => {
    const held = fill((at) => (at === 2 ? leastBytesPerSecond / 4 : at === 1 ? leastBytesPerSecond / 2 : 1e6))
    await timers.advance(windowMs - 1)
    expect(enter('late', 1e6)).toBeUndefined()
    await timers.advance(windowMs)
    expect(held.some((download) => download?.isCut)).toBe(false)
    expect(enter('late', 1e6)).toBeDefined()
    expect(enter('later', 1e6)).toBeDefined()
    expect(held.map((download) => download?.isCut)).toEqual([false, true, true, false])
    expect(enter('last', 1e6)).toBeUndefined()
  })

  it('are lost by a reader that was fast once and reads no more', async () => {
    const held = fill(() => 1e6)
    await timers.advance(windowMs)
    const [first] = held
    const bytes = first?.bytes() ?? 0
    if (first !== undefined) first.bytes = () => bytes
    await timers.advance(2 * windowMs)
    expect(enter('late', 1e6)).toBeDefined()
    expect(first?.isCut).toBe(true)
  })

  it('are free again when a download ends', () => {
    const held = fill(() => 1e6)
    expect(enter('late', 1e6)).toBeUndefined()
    if (held[0] !== undefined) places.leave(held[0])
    expect(enter('late', 1e6)).toBeDefined()
  })
})
