import fs from 'node:fs'
import path from 'node:path'
import ssh2 from 'ssh2'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { realDisk } from '../../../../agents/platform/disk.ts'
import { openHostKey } from '../../../../agents/sftp/host-key.ts'
import { scratchFolder } from '../../../support/agent-bundles.ts'

let scratch: ReturnType<typeof scratchFolder>
let file: string
beforeEach(() => {
  scratch = scratchFolder()
  file = path.join(scratch.path, 'key')
})
afterEach(() => scratch.remove())

/** Keys of the library until one is as wanted. */
const drawn = (isReadable: boolean): string => {
  for (;;) {
    const key = ssh2.utils.generateKeyPairSync('ed25519').private
    if (!(ssh2.utils.parseKey(key) instanceof Error) === isReadable) return key
  }
}

describe('the host key of SFTP', () => {
  it('is made once and kept', () => {
    const made = openHostKey(realDisk, file)
    expect(openHostKey(realDisk, file)).toEqual(made)
    expect([fs.readFileSync(file, 'utf8'), made.fingerprint]).toEqual([
      made.privateKey,
      expect.stringMatching(/^SHA256:[\w+/]{43}$/),
    ])
  })

  it('is one that can be read, although the library generates some that it cannot', () => {
    const [bad, good] = [drawn(false), drawn(true)]
    const keys = [bad, bad, good]
    expect(openHostKey(realDisk, file, () => keys.shift() ?? '').privateKey).toBe(good)
    expect(fs.readFileSync(file, 'utf8')).toBe(good)
  })

  it('that is damaged is named with its file, and not replaced, because clients know it', () => {
    fs.writeFileSync(file, 'nonsense')
    expect(() => openHostKey(realDisk, file)).toThrow(file)
    expect(fs.readFileSync(file, 'utf8')).toBe('nonsense')
  })
})
