import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PLAYER_BOUNDS } from '../../../../src/contracts/agent/player-query.ts'
import { PlayersSeen } from '../../../../src/contracts/panel/players.ts'
import { cleanName, playersIn } from '../../../../agents/players/players-answer.ts'

it('makes an answer of the contract from anything that a game says', () => {
  const player = fc.oneof(fc.record({ name: fc.string({ unit: 'binary', maxLength: 200 }) }), fc.anything())
  const answer = fc.oneof(
    fc.record({
      numplayers: fc.oneof(fc.double(), fc.integer(), fc.anything()),
      maxplayers: fc.oneof(fc.double(), fc.anything()),
      players: fc.oneof(fc.array(player, { maxLength: 300 }), fc.anything()),
    }),
    fc.anything(),
  )
  fc.assert(
    fc.property(answer, (said) => {
      const seen = PlayersSeen.parse({ state: 'answered', ...playersIn(said, PLAYER_BOUNDS) })
      expect(seen.state === 'answered' && seen.names.length <= seen.online).toBe(true)
    }),
  )
})

it('clamps numbers and limits names', () => {
  const names = Array.from({ length: 10_000 }, (_, index) => ({ name: `player ${index}` }))
  const lie = playersIn({ numplayers: 2_147_483_647, maxplayers: -5, players: names }, PLAYER_BOUNDS)
  expect([lie.online, lie.max, lie.names.length]).toEqual([100_000, 0, 100])
})

it('names more players than it counts only as far as it counts them', () => {
  expect(
    playersIn({ numplayers: 1, maxplayers: 20, players: [{ name: 'a' }, { name: 'b' }] }, PLAYER_BOUNDS).names,
  ).toEqual(['a'])
})

it.each([
  ['\u202Egnp.exe\u202C', 'gnp.exe'],
  ['a\nb\u0000c', 'abc'],
  ['§4Admin', 'Admin'],
  ['  Őrsi   Panni ', 'Őrsi Panni'],
  ['x'.repeat(1_000_000), 'x'.repeat(32)],
  ['\u200B\u2066', undefined],
  [7, undefined],
])('cleans %j', (raw, clean) => {
  expect(cleanName(raw, 32)).toBe(clean)
})
