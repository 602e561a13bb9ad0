import { expect, test } from 'vitest'
import { playersFor } from '../../../../src/domain/servers/player-guide.ts'

test.each([
  [1_024, 0, 100, 10],
  [3_072, 0, 100, 30],
  [8_192, 0, 100, 80],
  [1_024, 512, 100, 5],
  [2_048, 512, 100, 15],
  [6_144, 512, 100, 50],
  [256, 512, 100, 1],
])('%d MiB of memory, %d without players and %d for each, are for about %d players', (memory, base, each, players) => {
  expect(playersFor(memory, { baseMemoryMiB: base, playerMemoryMiB: each })).toBe(players)
})
