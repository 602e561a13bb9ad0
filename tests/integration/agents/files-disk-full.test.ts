import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { refusalOf } from '../../../agents/files/file-failure.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { FILE_OPERATIONS, FileWorkerRig, type FileWorker } from '../../support/file-operations.ts'

const BLOCK_BYTES = 1_024
/** Blocks that are left: few, so that each step of an operation is the first without room, and many, up to enough. */
const LEFT_BLOCKS = [...Array.from({ length: 17 }, (_, blocks) => blocks), 24, 32, 48, 64, 96, 98, 100, 128, 160]
/** They need no storage: a folder is renamed, and a full server can be emptied. */
const ALWAYS = ['a move of a folder', 'a restore of a folder', 'a deletion of a file for good', 'an emptied bin']

let scratch: ReturnType<typeof scratchFolder>
let disk: string
let rig: FileWorkerRig

beforeEach(() => {
  scratch = scratchFolder()
  disk = path.join(scratch.path, 'disk')
  fs.mkdirSync(disk)
  const image = path.join(scratch.path, 'image')
  fs.writeFileSync(image, '')
  fs.truncateSync(image, 4 * 1024 * 1024)
  execFileSync('mkfs.ext4', ['-q', '-b', String(BLOCK_BYTES), '-m', '0', '-N', '512', '-O', '^has_journal', image])
  execFileSync('mount', ['-o', 'loop', image, disk])
  rig = new FileWorkerRig(disk)
})
afterEach(async () => {
  await rig.close()
  execFileSync('umount', ['-l', disk])
  scratch.remove()
})

/** Fills the disk but for some blocks; returns how to give the storage back. */
const fill = (leftBlocks: number): (() => void) => {
  const filling = path.join(disk, 'filling')
  const file = fs.openSync(filling, 'w')
  let bytes = 0
  try {
    for (const block = Buffer.alloc(BLOCK_BYTES); ; bytes += block.length) fs.writeSync(file, block)
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' })
  }
  fs.ftruncateSync(file, bytes - leftBlocks * BLOCK_BYTES)
  fs.closeSync(file)
  return () => fs.rmSync(filling)
}

/** How an operation ended, alone or as one of several: null when it is done. */
const endOf = async (run: (worker: FileWorker) => Promise<unknown>, worker: FileWorker): Promise<string | null> => {
  try {
    const result = await run(worker)
    const refusals = (result as { refusals?: (string | null)[] } | undefined)?.refusals ?? []
    return refusals.find((refusal) => refusal !== null) ?? null
  } catch (error) {
    return refusalOf(error)
  }
}

describe('a full disk', () => {
  for (const [operation, { prepare, run }] of Object.entries(FILE_OPERATIONS)) {
    it(`in the middle of ${operation} leaves everything as it was, and says so`, async () => {
      const stateNow = async () => rig.state(await rig.begin())
      const prepared = async () => {
        rig.layOut()
        await prepare?.(await rig.begin())
        return stateNow()
      }
      const before = await prepared()
      expect(await endOf(run, await rig.begin())).toBeNull()
      const after = await stateNow()
      expect(after).not.toEqual(before)
      const ends = new Set<string | null>()
      for (const blocks of LEFT_BLOCKS) {
        await prepared()
        const worker = await rig.begin()
        const makeRoom = fill(blocks)
        const end = await endOf(run, worker)
        ends.add(end)
        expect([blocks, end, await rig.state(worker)]).toEqual([blocks, end, end === null ? after : before])
        makeRoom()
        if (end !== null) expect(await endOf(run, await rig.begin())).toBeNull()
        expect([blocks, await stateNow()]).toEqual([blocks, after])
        await rig.close()
      }
      expect([...ends].sort()).toEqual(ALWAYS.includes(operation) ? [null] : ['NO_SPACE', null].sort())
    })
  }
})
