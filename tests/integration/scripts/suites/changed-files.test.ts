import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { beforeEach, expect, test } from 'vitest'

import { changedFiles } from '../../../../scripts/suites/changed-files.mjs'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

let root: string
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@bakter.test', ...args], { cwd: root })
const write = (path: string, text = path) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const commitAll = () => {
  git('add', '-A')
  git('commit', '-qm', 'A step')
}

beforeEach(() => {
  root = temporaryFolder()
  git('init', '-q', '-b', 'main')
  write('.gitignore', 'ignored/\n')
  for (const name of ['kept.ts', 'committed.ts', 'edited.ts', 'deleted.ts', 'renamed.ts']) write(name)
  commitAll()
  git('checkout', '-q', '-b', 'work')
  write('committed.ts', 'changed and committed')
  commitAll()
})

test('committed, uncommitted, staged, new, renamed and deleted files have changed since the main branch', () => {
  write('edited.ts', 'changed')
  write('staged [1].ts')
  git('add', 'staged [1].ts')
  write('new/file.ts')
  write('ignored/file.ts')
  rmSync(join(root, 'deleted.ts'))
  git('mv', 'renamed.ts', 'moved.ts')
  const { files, changed, gone } = changedFiles({ root })
  expect(changed).toEqual(
    ['committed.ts', 'deleted.ts', 'edited.ts', 'moved.ts', 'new/file.ts', 'renamed.ts', 'staged [1].ts'].sort(),
  )
  expect(gone).toEqual(['deleted.ts', 'renamed.ts'])
  expect(files).toContain('new/file.ts')
  expect(files).not.toContain('deleted.ts')
})

test('later commits of others on the main branch do not count as changes of this one', () => {
  git('checkout', '-q', 'main')
  write('kept.ts', 'changed by somebody else')
  commitAll()
  git('checkout', '-q', 'work')
  expect(changedFiles({ root }).changed).toEqual(['committed.ts'])
})

test('a named commit is the base, and one that does not exist is refused', () => {
  expect(changedFiles({ root, since: 'HEAD' }).changed).toEqual([])
  expect(() => changedFiles({ root, since: 'nowhere' })).toThrow('no commit that this clone shares with nowhere')
})
