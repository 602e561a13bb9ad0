import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { wipeFiles } from '../../../../agents/servers/wipe-files.ts'

let folder: string
let root: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bakter-wipe-'))
  root = path.join(folder, 'root')
  mkdirSync(path.join(root, 'deep/er'), { recursive: true })
  writeFileSync(path.join(root, 'deep/er/file'), 'mine')
  mkdirSync(path.join(folder, 'files/bin'), { recursive: true })
  writeFileSync(path.join(folder, 'files/bin/old'), 'kept')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const nothing = (): Promise<void> => Promise.resolve()

describe('wipeFiles', () => {
  it('removes the folder of the customer and nothing beside it, links never followed', async () => {
    mkdirSync(path.join(folder, 'elsewhere'))
    writeFileSync(path.join(folder, 'elsewhere/file'), 'of somebody else')
    symlinkSync(path.join(folder, 'elsewhere'), path.join(root, 'link'))
    await wipeFiles({ root, files: path.join(folder, 'files') }, nothing)
    expect([existsSync(root), existsSync(`${root}.leaving`)]).toEqual([false, false])
    expect(readFileSync(path.join(folder, 'elsewhere/file'), 'utf8')).toBe('of somebody else')
    expect(readFileSync(path.join(folder, 'files/bin/old'), 'utf8')).toBe('kept')
  })

  it('ends what works on the files before, and again when they have left their place', async () => {
    const seen: boolean[] = []
    await wipeFiles({ root, files: path.join(folder, 'files') }, () => {
      seen.push(existsSync(root))
      return Promise.resolve()
    })
    expect(seen).toEqual([true, false])
  })

  it('takes earlier versions and unfinished uploads along, which are the same content under other names', async () => {
    for (const name of ['history/key/1', 'uploads/one/part']) {
      mkdirSync(path.dirname(path.join(folder, 'files', name)), { recursive: true })
      writeFileSync(path.join(folder, 'files', name), 'a password of yesterday')
    }
    await wipeFiles({ root, files: path.join(folder, 'files') }, nothing)
    expect(readdirSync(path.join(folder, 'files'), { recursive: true }).toSorted()).toEqual(['bin', 'bin/old'])
  })

  it('finishes a removal that was interrupted, and is nothing for a folder that is gone', async () => {
    mkdirSync(`${root}.leaving/half`, { recursive: true })
    await wipeFiles({ root, files: path.join(folder, 'files') }, nothing)
    expect([existsSync(root), existsSync(`${root}.leaving`)]).toEqual([false, false])
    mkdirSync(`${root}.leaving/half`, { recursive: true })
    await wipeFiles({ root, files: path.join(folder, 'files') }, nothing)
    expect(existsSync(`${root}.leaving`)).toBe(false)
  })
})
