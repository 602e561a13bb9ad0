import { linkSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { DiskUsage } from '../../../../agents/quota/disk-usage.ts'
import { ManualClock } from '../../../setup/manual-clock.ts'

let folder: string
let clock: ManualClock
let disk: DiskUsage
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bakter-usage-'))
  clock = new ManualClock()
  disk = new DiskUsage(clock)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const MIB = 1024 * 1024

/** POSIX counts a file's blocks in units of 512 bytes, whatever the file system's own are. */
const bytesOf = (...names: string[]) => names.reduce((sum, name) => sum + lstatSync(join(folder, name)).blocks * 512, 0)
const fill = (name: string, bytes: number) => writeFileSync(join(folder, name), Buffer.alloc(bytes, 1))

it('the size is the space that files and folders take, hard links once and links not followed', async () => {
  mkdirSync(join(folder, 'world'))
  fill('world/region', 300_000)
  fill('log', 5_000)
  linkSync(join(folder, 'log'), join(folder, 'log-again'))
  symlinkSync('/usr', join(folder, 'elsewhere'))
  const bytes = await disk.measure(folder)
  expect(bytes).toBe(bytesOf('world', 'world/region', 'log', 'elsewhere'))
  expect(bytes).toBeGreaterThan(300_000)
})

it('the last known size stays until the next walk has ended, which begins after half a minute', async () => {
  fill('log', 100_000)
  expect(disk.of(folder)).toBe(0)
  await expect.poll(() => disk.of(folder)).toBe(bytesOf('log'))
  const before = bytesOf('log')
  fill('more', 200_000)
  clock.advance(29_999)
  expect(disk.of(folder)).toBe(before)
  clock.advance(1)
  // It begins now, and meanwhile the size is not unknown.
  expect(disk.of(folder)).toBe(before)
  await expect.poll(() => disk.of(folder)).toBe(bytesOf('log', 'more'))
})

it('a forgotten folder is measured anew', async () => {
  fill('log', 100_000)
  await disk.measure(folder)
  disk.forget(folder)
  expect(disk.of(folder)).toBe(0)
})

it('The size of a folder includes files and folders whose names are no text [S13]', async () => {
  const odd = (...names: number[][]) =>
    Buffer.concat([folder, ...names].flatMap((name) => [Buffer.from(name), Buffer.from('/')])).subarray(0, -1)
  mkdirSync(odd([0xe9]))
  writeFileSync(odd([0xff, 0xfe]), Buffer.alloc(MIB, 1))
  writeFileSync(odd([0xe9], [0xff]), Buffer.alloc(MIB, 1))
  writeFileSync(`${folder}/plain`, Buffer.alloc(MIB, 1))
  expect(await disk.measure(folder)).toBeGreaterThanOrEqual(3 * MIB)
})
