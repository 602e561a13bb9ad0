import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { search } from '../../../../agents/files/search.ts'
import { ServerRoot } from '../../../../agents/files/server-root.ts'
import { HeldFolder } from '../../../../agents/platform/held-folder.ts'
import { scratchFolder } from '../../../support/agent-bundles.ts'

let scratch: ReturnType<typeof scratchFolder>
let place: string
let held: HeldFolder
let root: ServerRoot
beforeEach(async () => {
  scratch = scratchFolder()
  place = scratch.path
  held = await HeldFolder.open(place)
  root = new ServerRoot(held)
})
afterEach(async () => {
  await held.close()
  scratch.remove()
})

const asked = { path: '', name: '', content: 'needle' }
const now = () => 0

it('reads files of any size, and only the beginning of one that is not text', async () => {
  const log = fs.openSync(path.join(place, 'latest.log'), 'w')
  const lines = Buffer.from('line of a log\n'.repeat(75_000))
  for (let written = 0; written < 20 * 1024 * 1024; written += lines.length) fs.writeSync(log, lines)
  fs.writeSync(log, 'the Needle')
  fs.closeSync(log)
  fs.writeFileSync(path.join(place, 'world.mca'), 'x\0needle')
  const { matches, isPartial } = await search({ root, now }, asked)
  expect(matches.map(({ path: at, text }) => [at, text])).toEqual([['latest.log', 'the Needle']])
  expect(isPartial).toBe(false)
})

it('ends within a large file once nobody waits any more, and calls the result partial', async () => {
  // A hole would be taken for a program by its first byte.
  const file = path.join(place, 'huge.log')
  fs.writeFileSync(file, Buffer.alloc(128 * 1024, 'x'))
  fs.truncateSync(file, 64 * 1024 ** 3)
  const gone = new AbortController()
  let asks = 0
  const counting = () => {
    asks += 1
    if (asks === 4) gone.abort()
    return 0
  }
  expect(await search({ root, now: counting, signal: gone.signal }, asked)).toEqual({ matches: [], isPartial: true })
  expect(asks).toBeLessThan(10)
})

it('that runs out of time within a file says that it is partial', async () => {
  fs.writeFileSync(path.join(place, 'a.log'), Buffer.alloc(512 * 1024, 'x'))
  let asks = 0
  const late = () => ((asks += 1) < 4 ? 0 : 60_000)
  expect(await search({ root, now: late }, asked)).toEqual({ matches: [], isPartial: true })
})
