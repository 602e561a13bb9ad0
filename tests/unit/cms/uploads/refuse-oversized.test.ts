import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { refuseOversized } from '../../../../src/cms/uploads/refuse-oversized.ts'
import { animatedWebp, bombPng, promisedPng, SVG } from '../../../support/hostile-pictures.ts'

let folder: string
let answer: (filename: string) => Promise<number | 'served'>
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bakter-media-'))
  const refuse = refuseOversized(folder)
  answer = async (filename) => {
    const response = await refuse(filename)
    return response === undefined ? 'served' : response.status
  }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const store = (name: string, bytes: Uint8Array | string): string => {
  writeFileSync(path.join(folder, name), bytes)
  return name
}

test.each([
  ['many pixels', () => bombPng(8_000, 8_000), 404],
  ['a promise of many pixels', () => promisedPng(50_000, 50_000), 404],
  ['a long side', () => bombPng(20_000, 8), 404],
  ['many frames', () => animatedWebp(1_000, 41), 404],
  ['a plain picture', () => bombPng(640, 480), 'served'],
  ['no picture at all', () => Buffer.from('text'), 'served'],
  ['nothing', () => Buffer.alloc(0), 'served'],
  ['a document of SVG, which no decoder reads', () => SVG, 'served'],
] as const)('a stored file with %s', async (_what, make, expected) => {
  expect(await answer(store('a.png', await make()))).toBe(expected)
})

test('a file that is not there, or outside the folder, is left to Payload', async () => {
  expect([await answer('gone.png'), await answer('../../etc/passwd')]).toEqual(['served', 'served'])
})

test('a file that was replaced is looked at again, and one that was not is remembered', async () => {
  store('a.png', bombPng(64, 64))
  expect(await answer('a.png')).toBe('served')
  store('a.png', bombPng(8_000, 8_000))
  expect(await answer('a.png')).toBe(404)
  const before = bombPng(8_000, 8_000)
  utimesSync(path.join(folder, 'a.png'), 1_000, 1_000)
  expect(await answer('a.png')).toBe(404)
  // The same size and time: nobody reads it again.
  store('a.png', Buffer.alloc(before.length, 1))
  utimesSync(path.join(folder, 'a.png'), 1_000, 1_000)
  expect(await answer('a.png')).toBe(404)
})
