import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'

import { readSshKey } from '#domain/users/ssh-key.ts'

const folder = fs.mkdtempSync(path.join(tmpdir(), 'bakter-keys-'))
afterAll(() => fs.rmSync(folder, { recursive: true }))

/** Keys of `ssh-keygen`, so that the reader is not tested against itself. */
const made = (name: string, ...args: string[]) => {
  const file = path.join(folder, name)
  execFileSync('ssh-keygen', ['-q', '-N', '', '-C', 'anna@laptop', ...args, '-f', file])
  return { line: fs.readFileSync(`${file}.pub`, 'utf8'), secret: fs.readFileSync(file, 'utf8') }
}

describe('a public key', () => {
  it('of Ed25519 and of RSA from 2048 bits is read, with its comment', () => {
    for (const [name, algorithm, ...args] of [
      ['ed', 'ssh-ed25519', '-t', 'ed25519'],
      ['rsa', 'ssh-rsa', '-t', 'rsa', '-b', '2048'],
    ] as const) {
      const { line } = made(name, ...args)
      const [, publicKey] = line.split(' ')
      expect(readSshKey(line)).toEqual({ algorithm, publicKey, comment: 'anna@laptop' })
      expect(readSshKey(`  ${line.trim()}\r\n`)).toMatchObject({ publicKey })
      expect(readSshKey(`${algorithm} ${publicKey}`)).toMatchObject({ comment: '' })
    }
  })

  it('of another algorithm, too short, cut, renamed or private is refused', () => {
    const { line, secret } = made('whole', '-t', 'ed25519')
    const [algorithm = '', publicKey = ''] = line.split(' ')
    const refused = [
      made('ecdsa', '-t', 'ecdsa').line,
      made('short', '-t', 'rsa', '-b', '1024').line,
      secret,
      `${algorithm} ${publicKey.slice(0, -8)}`,
      `ssh-rsa ${publicKey}`,
      `${algorithm} ${publicKey}\n${algorithm} ${publicKey}`,
      `command="id" ${algorithm} ${publicKey}`,
      publicKey,
      '',
    ]
    for (const text of refused) expect([text.slice(0, 30), readSshKey(text)]).toEqual([text.slice(0, 30), undefined])
  })

  it('of any other text is refused, and never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => readSshKey(text) === undefined))
    const body = fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes).toString('base64'))
    fc.assert(fc.property(body, (text) => readSshKey(`ssh-ed25519 ${text}`) === undefined))
  })
})
