import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { contentHash } from '../../../scripts/content-hash.mjs'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('the hash changes with content, name and removal, and with nothing else', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'a'))
  writeFileSync(join(folder, 'a/one.ts'), '1')
  writeFileSync(join(folder, 'a/two.ts'), '2')
  const hash = () => contentHash([folder])
  const first = hash()
  writeFileSync(join(folder, 'a/one.ts'), '1')
  writeFileSync(join(folder, 'a/x.tsbuildinfo'), 'x')
  expect(hash()).toBe(first)
  const seen = new Set([first])
  writeFileSync(join(folder, 'a/one.ts'), '3')
  seen.add(hash())
  renameSync(join(folder, 'a/one.ts'), join(folder, 'a/three.ts'))
  seen.add(hash())
  rmSync(join(folder, 'a/two.ts'))
  seen.add(hash())
  expect(seen.size).toBe(4)
})
