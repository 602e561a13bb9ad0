import fs from 'node:fs'

import { expect, it } from 'vitest'

import { DiskUsage } from '../../../../agents/stats/disk-usage.ts'
import { ManualClock } from '../../../setup/manual-clock.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const MIB = 1024 * 1024

it('The size of a folder includes files and folders whose names are no text [S13]', async () => {
  const folder = temporaryFolder()
  const odd = (...names: number[][]) =>
    Buffer.concat([folder, ...names].flatMap((name) => [Buffer.from(name), Buffer.from('/')])).subarray(0, -1)
  fs.mkdirSync(odd([0xe9]))
  fs.writeFileSync(odd([0xff, 0xfe]), Buffer.alloc(MIB, 1))
  fs.writeFileSync(odd([0xe9], [0xff]), Buffer.alloc(MIB, 1))
  fs.writeFileSync(`${folder}/plain`, Buffer.alloc(MIB, 1))
  expect(await new DiskUsage(new ManualClock()).measure(folder)).toBeGreaterThanOrEqual(3 * MIB)
})
