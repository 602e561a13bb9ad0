import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { EVERY_RUN, JOURNEY_SHARES, journeysLeftOut } from '../../support/journey-shares.ts'

const FOLDER = join(import.meta.dirname, '../../e2e')
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.e2e.ts'))
const always = EVERY_RUN.map((name) => `${name}.e2e.ts`)
const taken = (slice: number) => {
  const leftOut = journeysLeftOut(files, String(slice))
  return files.filter((file) => !leftOut.includes(file))
}

it('each journey is in a run of every commit, or in one of so many shares', () => {
  const runs = Array.from({ length: JOURNEY_SHARES }, (_, slice) => taken(slice))
  expect(new Set(runs.flat())).toEqual(new Set(files))
  for (const run of runs) expect(run).toEqual(expect.arrayContaining(always))
  const others = runs.flat().filter((file) => !always.includes(file))
  expect(others).toHaveLength(files.length - always.length)
  expect(new Set(others).size).toBe(others.length)
})

it('nothing is left out of a run of everything, or of a run by hand', () => {
  expect(journeysLeftOut(files, '')).toEqual([])
})

it('a journey that shares out its own cases is in each run, so that every case has its turn', () => {
  const sharing = files.filter((file) => /\bsliceOf\(/.test(readFileSync(join(FOLDER, file), 'utf8')))
  expect(sharing).not.toEqual([])
  expect(always).toEqual(expect.arrayContaining(sharing))
})

it('every journey of each run is there', () => {
  expect(files).toEqual(expect.arrayContaining(always))
})
