import fs from 'node:fs'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { FolderLists } from '../../../../agents/files/folder-list.ts'
import { ServerRoot } from '../../../../agents/files/server-root.ts'
import { HeldFolder } from '../../../../agents/platform/held-folder.ts'
import { scratchFolder } from '../../../support/agent-bundles.ts'

let scratch: ReturnType<typeof scratchFolder>
let held: HeldFolder
beforeEach(async () => {
  scratch = scratchFolder()
  held = await HeldFolder.open(scratch.path)
  for (const name of ['z10', 'z9', 'B', 'a']) fs.writeFileSync(path.join(scratch.path, name), name.repeat(3))
  for (const name of ['folder-2', 'folder-10']) fs.mkdirSync(path.join(scratch.path, name))
})
afterEach(async () => {
  await held.close()
  scratch.remove()
})

const listed = async (
  huge: number,
  request: { order?: 'name' | 'size' | 'time'; from?: number; descending?: boolean } = {},
) => {
  const asked = { path: '', limit: 4, from: 0, order: 'name', descending: false, ...request } as const
  const { entries, total } = await new FolderLists(new ServerRoot(held), Date.now, huge).list(asked)
  return [entries.map(({ name }) => name), total]
}

describe('a list', () => {
  it('of a usual folder is in the order that people expect', async () => {
    expect(await listed(6)).toEqual([['folder-2', 'folder-10', 'a', 'B'], 6])
    expect(await listed(6, { from: 4 })).toEqual([['z9', 'z10'], 6])
    expect(await listed(6, { descending: true })).toEqual([['folder-10', 'folder-2', 'z10', 'z9'], 6])
    expect(await listed(6, { order: 'size', from: 2 })).toEqual([['a', 'B', 'z9', 'z10'], 6])
  })

  it('of a huge one is in the order of its bytes, whatever was asked for, and as complete', async () => {
    for (const order of ['name', 'size', 'time'] as const) {
      expect(await listed(5, { order })).toEqual([['folder-10', 'folder-2', 'B', 'a'], 6])
      expect(await listed(5, { order, from: 4 })).toEqual([['z10', 'z9'], 6])
    }
  })

  it('has names that are not UTF-8, with their sizes', async () => {
    fs.writeFileSync(Buffer.concat([Buffer.from(`${scratch.path}/`), Buffer.from([0x61, 0xff])]), '12345')
    const { entries } = await new FolderLists(new ServerRoot(held), Date.now).list({
      path: '',
      limit: 10,
      from: 0,
      order: 'name',
      descending: false,
    })
    expect(entries.find(({ name }) => name === 'a\uFFFD')).toMatchObject({ size: 5, kind: 'file' })
  })
})
