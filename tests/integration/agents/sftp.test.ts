import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { USER_ID } from '../../factories/server-spec.ts'
import { SftpRig } from '../../support/sftp-rig.ts'

let rig: SftpRig
beforeEach(async () => {
  rig = await SftpRig.open()
})
afterEach(() => rig.close())

const local = (name: string) => path.join(rig.folder, name)
const inRoot = (name: string) => path.join(rig.files.root, name)
const sum = (file: string) => createHash('sha256').update(fs.readFileSync(file)).digest('hex')

describe("OpenSSH's client", () => {
  it('uploads, lists, downloads, renames and removes, and each change is in the log', async () => {
    fs.writeFileSync(local('world.bin'), randomBytes(20_000_000))
    const { code, output } = await rig.sftp([
      `put ${local('world.bin')} world.bin`,
      'mkdir plugins',
      'rename world.bin plugins/world.bin',
      'chmod 600 plugins/world.bin',
      'ls -l plugins',
      `get plugins/world.bin ${local('back.bin')}`,
      'mkdir gone',
      'rmdir gone',
      'pwd',
    ])
    expect([code, output]).toEqual([0, expect.stringContaining('world.bin')])
    expect(output).toMatch(/-rw------- .* 20000000 .*world\.bin/)
    expect(output).toContain('Remote working directory: /')
    expect(sum(local('back.bin'))).toBe(sum(local('world.bin')))
    expect(sum(inRoot('plugins/world.bin'))).toBe(sum(local('world.bin')))
    expect(fs.statSync(inRoot('plugins/world.bin')).mode & 0o777).toBe(0o600)
    expect(rig.files.activities.map(({ type, detail, way, userId }) => [type, detail, way, userId])).toEqual([
      ['server:sftp.create', 'world.bin', 'sftp', USER_ID],
      ['server:sftp.create-directory', 'plugins', 'sftp', USER_ID],
      ['server:sftp.rename', 'world.bin → plugins/world.bin', 'sftp', USER_ID],
      ['server:sftp.write', 'plugins/world.bin', 'sftp', USER_ID],
      ['server:sftp.create-directory', 'gone', 'sftp', USER_ID],
      ['server:sftp.delete', 'gone', 'sftp', USER_ID],
    ])
  })
})
