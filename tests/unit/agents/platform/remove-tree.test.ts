import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeTree } from '../../../../agents/platform/remove-tree.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bakter-remove-'))
})
afterEach(() => execFileSync('rm', ['-rf', folder]))

describe('removeTree', () => {
  it('removes folders that are deeper than a path may be long', async () => {
    const deep = `for (let depth = 0; depth < 60; depth += 1) {
      fs.mkdirSync('n'.repeat(100))
      process.chdir('n'.repeat(100))
    }
    fs.writeFileSync('file', '')`
    const doomed = path.join(folder, 'doomed')
    mkdirSync(doomed)
    execFileSync(process.execPath, ['-e', deep], { cwd: doomed })
    expect(() => rmSync(doomed, { recursive: true })).toThrow('ENAMETOOLONG')
    await removeTree(doomed)
    expect(existsSync(doomed)).toBe(false)
  })

  it('removes a link and leaves its target; a name like an option is a name', async () => {
    const target = path.join(folder, 'target')
    writeFileSync(target, 'kept')
    symlinkSync(target, path.join(folder, 'link'))
    mkdirSync(path.join(folder, '-rf --no-preserve-root'))
    await removeTree(path.join(folder, 'link'))
    await removeTree(path.join(folder, '-rf --no-preserve-root'))
    await removeTree(path.join(folder, 'never there'))
    expect([existsSync(path.join(folder, 'link')), existsSync(path.join(folder, '-rf --no-preserve-root'))]).toEqual([
      false,
      false,
    ])
    expect(readFileSync(target, 'utf8')).toBe('kept')
  })

  it('says why something stays', async () => {
    const run = () => Promise.resolve({ code: 1, stdout: '', stderr: 'rm: cannot remove: Input/output error\n' })
    await expect(removeTree(folder, run)).rejects.toMatchObject({
      code: 'FILES_NOT_REMOVED',
      message: 'The files could not be removed: rm: cannot remove: Input/output error',
    })
  })
})
