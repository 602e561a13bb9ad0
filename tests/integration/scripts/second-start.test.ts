import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { takeDataFolder } from '../../../scripts/start/data-folder.mjs'

it('a second start is refused before it installs anything', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bakter-second-'))
  const release = takeDataFolder(join(folder, 'data'))
  try {
    // Nothing is installed in this folder, so a start that gets further asks for the packages.
    const { status, stdout, stderr } = spawnSync(process.execPath, [resolve('scripts/start.mjs')], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, BAKTER_DATA: join(folder, 'data'), BAKTER_MODE: '' },
    })
    expect(stderr).toContain(`Process ${process.pid} already runs Bakter in`)
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  } finally {
    release()
    rmSync(folder, { recursive: true, force: true })
  }
})
