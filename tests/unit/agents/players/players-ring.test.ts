import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PLAYERS_RING_BYTES, PlayersRing } from '../../../../agents/players/players-ring.ts'

const DAY_MS = 86_400_000
const T = 1_800_000_000_000
let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'players-'))
  file = path.join(folder, 'players.ring')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('keeps a count for each minute of a day in a file of fixed size', () => {
  const ring = new PlayersRing(file)
  for (let minute = 0; minute < 2_000; minute += 1) ring.add(T + minute * 60_000, { online: minute, max: 20 })
  const now = T + 1_999 * 60_000
  const kept = new PlayersRing(file).read(0, now)
  expect(kept.times).toHaveLength(1_440)
  expect([kept.online.at(0), kept.online.at(-1), kept.max.at(-1)]).toEqual([560, 1_999, 20])
  expect(kept.times).toEqual(kept.times.toSorted((a, b) => a - b))
  expect(statSync(file).size).toBe(PLAYERS_RING_BYTES)
  expect(ring.read(now - 60_000, now).online).toEqual([1_998, 1_999])
})

it('forgets what is older than a day, and tells nothing of the future', () => {
  const ring = new PlayersRing(file)
  ring.add(T, { online: 3, max: 20 })
  expect(ring.read(0, T + DAY_MS - 60_000).online).toEqual([3])
  expect(ring.read(0, T + DAY_MS + 60_000).online).toEqual([])
  expect(ring.read(0, T - 60_000).online).toEqual([])
})

it('begins a damaged file again, and reads none from a missing one', () => {
  expect(new PlayersRing(file).read(0, T).times).toEqual([])
  expect(existsSync(file)).toBe(false)
  writeFileSync(file, 'not a ring')
  const ring = new PlayersRing(file)
  expect(ring.read(0, T).times).toEqual([])
  ring.add(T, { online: 1, max: 2 })
  expect(ring.read(0, T)).toMatchObject({ online: [1], max: [2] })
})
