import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { expect, test } from 'vitest'

import { demoPorts } from '../../support/demo.ts'
import { freePort } from '../../support/free-port.ts'
import { startOwnProcess } from '../../support/own-process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('an unreachable registry is reported with its reason, also with a silent npm', async () => {
  const folder = temporaryFolder()
  const manifest = { name: 'clone', version: '1.0.0', dependencies: { 'left-pad': '1.3.0' } }
  const packages = { '': manifest, 'node_modules/left-pad': { version: '1.3.0' } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...manifest, lockfileVersion: 3, packages }))
  const port = await freePort()
  const start = startOwnProcess({
    command: process.execPath,
    args: [resolve('scripts/start.mjs')],
    cwd: folder,
    env: {
      ...Object.fromEntries(Object.entries(await demoPorts()).map(([name, at]) => [name, String(at)])),
      BAKTER_DATA: join(folder, 'data'),
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_cache: join(folder, 'cache'),
      npm_config_loglevel: 'silent',
    },
  })
  expect(await start.ended).toMatchObject({ code: 1 })
  expect(start.output()).toContain('The packages could not be installed:\nnpm error code ECONNREFUSED')
  expect(start.output()).toContain(`127.0.0.1:${port}`)
})
