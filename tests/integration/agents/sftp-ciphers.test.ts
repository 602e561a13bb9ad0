import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

import { Client } from 'ssh2'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { SftpRig } from '../../support/sftp-rig.ts'

let rig: SftpRig
beforeAll(async () => {
  rig = await SftpRig.open()
})
afterAll(() => rig.close())

it.each(['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'aes128-ctr', 'aes256-ctr'])(
  "OpenSSH's client sends and gets a file byte for byte with %s",
  async (cipher) => {
    const [here, back, name] = [path.join(rig.folder, 'here'), path.join(rig.folder, 'back'), `by-${cipher}`]
    fs.writeFileSync(here, randomBytes(3_000_000))
    const { code } = await rig.sftp([`put ${here} ${name}`, `get ${name} ${back}`], { cipher })
    expect(code).toBe(0)
    expect(fs.readFileSync(path.join(rig.files.root, name)).equals(fs.readFileSync(here))).toBe(true)
    expect(fs.readFileSync(back).equals(fs.readFileSync(here))).toBe(true)
  },
)

it.each(['chacha20-poly1305@openssh.com', 'aes128-cbc', '3des-cbc'] as const)('%s is not offered', async (cipher) => {
  const client = new Client()
  const ended = new Promise<string>((resolve, reject) => {
    client.on('error', (error) => resolve(error.message))
    client.on('ready', () => reject(new Error(`${cipher} was accepted.`)))
  })
  client.connect({ host: '127.0.0.1', port: rig.server.port, username: 'anybody', algorithms: { cipher: [cipher] } })
  expect(await ended).toContain('no matching C->S cipher')
  client.end()
})
