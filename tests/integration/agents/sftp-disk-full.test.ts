import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

import type { SFTPWrapper } from 'ssh2'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { connect, PASSWORD, sftpOf, SftpRig } from '../../support/sftp-rig.ts'

const BLOCK_BYTES = 1_024
const FULL = 'The storage of this server is full.'
/** SFTP has no status for it, and OpenSSH's client shows the status without its text, also of its own server. */
const BY_OPENSSH = 'Failure'

let rig: SftpRig
let disk: string
let filling: string
beforeEach(async () => {
  rig = await SftpRig.open()
  const { root } = rig.files
  disk = path.dirname(root)
  const image = path.join(rig.folder, 'image')
  fs.writeFileSync(image, '')
  fs.truncateSync(image, 4 * 1024 * 1024)
  execFileSync('mkfs.ext4', ['-q', '-b', String(BLOCK_BYTES), '-m', '0', '-N', '512', '-O', '^has_journal', image])
  execFileSync('mount', ['-o', 'loop', image, disk])
  fs.mkdirSync(root, { mode: 0o700 })
  fs.chownSync(root, rig.files.uid, rig.files.uid)
  filling = path.join(disk, 'filling')
  // A disk of its own has no reserve, so that the writes reach its last block; the reserve is tested in files-node-reserve.
  Object.assign(rig.files.layout, { image: { file: image, mountpoint: disk, disk: root } })
})
afterEach(async () => {
  execFileSync('umount', ['-l', disk])
  await rig.close()
})

/** Fills the disk but for some blocks. */
const fill = (leftBlocks: number): void => {
  const file = fs.openSync(filling, 'w')
  let bytes = 0
  try {
    for (const block = Buffer.alloc(BLOCK_BYTES); ; bytes += block.length) fs.writeSync(file, block)
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' })
  }
  fs.ftruncateSync(file, bytes - leftBlocks * BLOCK_BYTES)
  fs.closeSync(file)
}
const makeRoom = (): void => fs.rmSync(filling)
const inRoot = (name: string): string => path.join(rig.files.root, name)
const local = (bytes: Buffer): string => {
  const at = path.join(rig.folder, 'local.bin')
  fs.writeFileSync(at, bytes)
  return at
}
/** The worker's own area is on the disk before it is full. */
const begun = () => rig.sftp(['ls'])
const signedIn = async (): Promise<SFTPWrapper> => sftpOf((await connect(rig, { password: PASSWORD }, false)).client)
const message = (run: (done: (error?: Error | null) => void) => unknown): Promise<string> =>
  new Promise((resolve) => run((error) => resolve(error?.message ?? 'done')))

const opened = async (sftp: SFTPWrapper, name: string, mode: 'w' | 'r+') => {
  const handle = await new Promise<Buffer>((resolve, reject) =>
    sftp.open(name, mode, (error, made) => (error ? reject(error) : resolve(made))),
  )
  const write = (at: number, bytes: Buffer) => message((done) => sftp.write(handle, bytes, 0, bytes.length, at, done))
  return { handle, write }
}

describe('a full disk by SFTP', () => {
  it('refuses a new file by its reason, keeps its beginning alone, and lets the client resume', async () => {
    await begun()
    fill(64)
    const bytes = randomBytes(300 * 1024 + 5)
    const source = local(bytes)
    const put = await rig.sftp([`put ${source} world.bin`])
    expect([put.code, put.output]).toEqual([1, expect.stringContaining(BY_OPENSSH)])
    const there = fs.readFileSync(inRoot('world.bin'))
    expect(there.length).toBeLessThan(bytes.length)
    expect(there.equals(bytes.subarray(0, there.length))).toBe(true)
    makeRoom()
    const resumed = await rig.sftp([`reput ${source} world.bin`])
    expect([resumed.code, fs.readFileSync(inRoot('world.bin')).equals(bytes)]).toEqual([0, true])
  })

  it('leaves no file with a hole: behind a part without storage nothing is written, also once there is room', async () => {
    await begun()
    fill(8)
    const sftp = await signedIn()
    const { handle, write } = await opened(sftp, 'holes.bin', 'w')
    const part = Buffer.alloc(32 * 1024, 'x')
    // Parts arrive in any order: this one is behind the one that finds no storage.
    expect(await write(100_000, Buffer.from('behind'))).toBe('done')
    expect(await write(0, part)).toBe(FULL)
    makeRoom()
    expect(await write(200_000, Buffer.from('end'))).toBe(FULL)
    expect(await message((done) => sftp.close(handle, done))).toBe('done')
    const there = fs.readFileSync(inRoot('holes.bin'))
    expect(there.length).toBeLessThanOrEqual(8 * BLOCK_BYTES)
    expect(there.equals(part.subarray(0, there.length))).toBe(true)
  })

  it('leaves no hole in a file that was longer and is cut on its handle either', async () => {
    await begun()
    fs.writeFileSync(inRoot('old.bin'), randomBytes(200 * BLOCK_BYTES))
    rig.files.own()
    const sftp = await signedIn()
    const { handle, write } = await opened(sftp, 'old.bin', 'r+')
    expect(await message((done) => sftp.fsetstat(handle, { size: 0 }, done))).toBe('done')
    fill(8)
    const part = Buffer.alloc(32 * 1024, 'x')
    expect(await write(100_000, Buffer.from('behind'))).toBe('done')
    expect(await write(0, part)).toBe(FULL)
    expect(await message((done) => sftp.close(handle, done))).toBe('done')
    const there = fs.readFileSync(inRoot('old.bin'))
    expect(there.length).toBeLessThanOrEqual(8 * BLOCK_BYTES)
    expect(there.equals(part.subarray(0, there.length))).toBe(true)
  })

  it('keeps what the server’s program has added meanwhile to a file that found no storage', async () => {
    await begun()
    fill(8)
    const sftp = await signedIn()
    const { handle, write } = await opened(sftp, 'log.bin', 'w')
    expect(await write(100_000, Buffer.from('behind'))).toBe('done')
    expect(await write(0, Buffer.alloc(32 * 1024, 'x'))).toBe(FULL)
    makeRoom()
    fs.appendFileSync(inRoot('log.bin'), 'the game')
    expect(await message((done) => sftp.close(handle, done))).toBe('done')
    expect(fs.readFileSync(inRoot('log.bin')).subarray(100_000).toString()).toBe('behindthe game')
  })

  it('gives a file no length for a part of which nothing was written', async () => {
    await begun()
    fill(0)
    const sftp = await signedIn()
    const { handle, write } = await opened(sftp, 'empty.bin', 'w')
    expect(await write(200_000, Buffer.alloc(2 * BLOCK_BYTES, 'x'))).toBe(FULL)
    expect(await message((done) => sftp.close(handle, done))).toBe('done')
    expect(fs.statSync(inRoot('empty.bin')).size).toBe(0)
  })

  it('refuses to add to a file, and what was there remains', async () => {
    await begun()
    const old = randomBytes(20 * BLOCK_BYTES)
    fs.writeFileSync(inRoot('log.bin'), old)
    rig.files.own()
    fill(4)
    const added = await rig.sftp([`reput ${local(Buffer.concat([old, randomBytes(100 * 1024)]))} log.bin`])
    expect([added.code, added.output]).toEqual([1, expect.stringContaining(BY_OPENSSH)])
    const there = fs.readFileSync(inRoot('log.bin'))
    expect([there.subarray(0, old.length).equals(old), there.length <= old.length + 4 * BLOCK_BYTES]).toEqual([
      true,
      true,
    ])
  })

  it('refuses folders, longer files and new names by its reason, changes nothing, and goes on once something is deleted', async () => {
    await begun()
    fs.writeFileSync(inRoot('a.txt'), 'a')
    fs.writeFileSync(inRoot('b.txt'), 'b')
    rig.files.own()
    fill(0)
    const sftp = await signedIn()
    expect(await message((done) => sftp.mkdir('folder', done))).toBe(FULL)
    // A hole takes no block of the disk, so the storage that was rented decides.
    rig.files.usage = { bytes: rig.files.limitBytes, ownBytes: 0 }
    expect(await message((done) => sftp.setstat('a.txt', { size: 1_000_000 }, done))).toBe(FULL)
    expect([fs.existsSync(inRoot('folder')), fs.readFileSync(inRoot('a.txt'), 'utf8')]).toEqual([false, 'a'])
    expect(await message((done) => sftp.rename('a.txt', 'b.txt', done))).not.toBe('done')
    expect([fs.readFileSync(inRoot('a.txt'), 'utf8'), fs.readFileSync(inRoot('b.txt'), 'utf8')]).toEqual(['a', 'b'])
    // The new name of a file is recorded before it is given.
    expect(await message((done) => sftp.rename('a.txt', 'c.txt', done))).toBe(FULL)
    expect(fs.readdirSync(rig.files.root).sort()).toEqual(['a.txt', 'b.txt'])
    expect(await message((done) => sftp.unlink('b.txt', done))).toBe('done')
    expect(await message((done) => sftp.rename('a.txt', 'c.txt', done))).toBe('done')
    expect([fs.readdirSync(rig.files.root), fs.readFileSync(inRoot('c.txt'), 'utf8')]).toEqual([['c.txt'], 'a'])
  })
})
