import fs from 'node:fs'

import { expect, it } from 'vitest'

import { afterInstall } from '../../../../agents/servers/after-install.ts'
import { layoutOf } from '../../../../agents/servers/layout.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

it('Files whose names are no text are given to the user of the server with the others [S13]', async () => {
  const layout = layoutOf(temporaryFolder(), 'acdefghk')
  const folder = Buffer.concat([Buffer.from(`${layout.root}/`), Buffer.from([0xe9])])
  const file = Buffer.concat([folder, Buffer.from('/'), Buffer.from([0xff, 0xfe])])
  fs.mkdirSync(layout.root, { recursive: true })
  fs.mkdirSync(folder)
  fs.writeFileSync(file, 'content')
  // Only root may give files away; anybody may keep their own.
  const own = process.getuid?.() ?? 0
  const uid = own === 0 ? 12_345 : own
  await afterInstall(layout, uid)
  expect([folder, file].map((name) => fs.lstatSync(name).uid)).toEqual([uid, uid])
})
