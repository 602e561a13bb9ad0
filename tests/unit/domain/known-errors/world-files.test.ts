import { expect, it } from 'vitest'
import { damagedFileOf, keptPath } from '../../../../src/domain/known-errors/world-files.ts'

it.each([
  ['Failed to load level.dat', { is: 'level', folder: null }],
  ['[Server thread/ERROR]: Exception reading ./world/level.dat', { is: 'level', folder: 'world' }],
  ['Failed to load world data from ./my.world/level.dat', { is: 'level', folder: 'my.world' }],
  ['Exception reading /home/container/worlds/one/level.dat', { is: 'level', folder: 'worlds/one' }],
  [
    'Region file ./world/region/r.0.-1.mca has truncated header: 4096',
    { is: 'region', path: 'world/region/r.0.-1.mca' },
  ],
  [
    'Region file /home/container/world/DIM-1/region/r.-3.12.mca has invalid sector at index: 1',
    { is: 'region', path: 'world/DIM-1/region/r.-3.12.mca' },
  ],
] as const)('%s', (line, damaged) => {
  expect(damagedFileOf(line)).toEqual(damaged)
})

it.each([
  'Failed to load world data from ./world/level.dat_old',
  'Chunk file at [12, 4] is in the wrong location; relocating. (Expected [12, 4], got [0, 0])',
  'Region file ../other/region/r.0.0.mca has truncated header: 1',
  'Region file ./world/../../region/r.0.0.mca has truncated header: 1',
  'Region file /etc/region/r.0.0.mca has truncated header: 1',
  'Region file ./world/region/eula.txt has truncated header: 1',
  '<Anna> Region file ./world/region/r.0.0.mca has truncated header: 1',
])('names no file that is touched: %s', (line) => {
  expect(damagedFileOf(line)).toBeUndefined()
})

it('a damaged file keeps its place and gets a name that no game reads', () => {
  expect(keptPath('world/level.dat', Date.UTC(2026, 10, 29, 9, 5, 7))).toBe('world/level.dat_corrupt-2026-11-29-090507')
})
