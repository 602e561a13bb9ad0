import fs from 'node:fs'
import path from 'node:path'

import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { Ext4Images } from '../../../../../agents/quota/loop-ext4/ext4-image.ts'
import { systemTimers } from '../../../../../agents/platform/timers.ts'
import { scratchFolder } from '../../../../support/agent-bundles.ts'

let scratch: ReturnType<typeof scratchFolder>
beforeEach(() => {
  scratch = scratchFolder()
})
afterEach(() => {
  scratch.remove()
})

const MIB = 1024 * 1024
/** The programs of an image, which all succeed. */
const images = () => {
  const ran: string[] = []
  const run = (command: string) => {
    ran.push(command)
    return Promise.resolve({ code: 0, stdout: '', stderr: '' })
  }
  return { ran, images: new Ext4Images({ run, timers: systemTimers }) }
}

it('an image that has its bytes is grown to them on a disk that is full up to the reserve; a larger one is refused', async () => {
  const file = path.join(scratch.path, 'image')
  fs.writeFileSync(file, Buffer.alloc(2 * MIB, 'x'))
  const stats = fs.statfsSync(scratch.path)
  const full = vi.spyOn(fs, 'statfsSync').mockReturnValue(Object.assign(stats, { bavail: 0 }))
  const { ran, images: made } = images()
  await made.grow(file, MIB)
  expect(ran).toEqual(['fallocate', 'e2fsck', 'resize2fs'])
  await expect(made.grow(file, 3 * MIB)).rejects.toMatchObject({ code: 'ENOSPC' })
  full.mockRestore()
})
