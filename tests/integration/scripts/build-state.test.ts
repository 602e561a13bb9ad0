import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { temporaryFolder } from '../../support/temporary-folder.ts'

const BUILD = JSON.stringify(new URL('../../../scripts/build.mjs', import.meta.url).href)

test('a truncated record of the last build counts as no build', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'dist/build.json'), '{"programs": "0123')
  const ask = `import(${BUILD}).then((build) => console.log(build.programsAreBuilt(), build.siteIsBuilt()))`
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', ask], { cwd: folder, encoding: 'utf8' })
  expect({ stdout, stderr }).toEqual({ stdout: 'false false\n', stderr: '' })
})
