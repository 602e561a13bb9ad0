import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { OwnArea } from '../../../agents/files/own-area.ts'
import { ServerRoot } from '../../../agents/files/server-root.ts'
import { Unpacker } from '../../../agents/files/archives/unpacker.ts'
import { workerCalls } from '../../../agents/files/worker/calls.ts'
import { HeldFolder } from '../../../agents/platform/held-folder.ts'
import { reserveOf } from '../../../agents/quota/node-reserve.ts'
import { noFaults } from '#platform/fault-point.ts'
import { systemIds } from '#platform/ids.ts'
import { zipOf } from '../../support/archives.ts'
import { codeOf } from '../../support/files-rig.ts'
import { connect, PASSWORD, sftpOf, SftpRig } from '../../support/sftp-rig.ts'
import { mountSmallDisk, type SmallDisk } from '../../support/small-disk.ts'

const MIB = 1024 * 1024
const DISK_MIB = 64

let sftp: SftpRig
let disk: SmallDisk
let home: string
beforeEach(async () => {
  sftp = await SftpRig.open()
  const { files } = sftp
  home = path.dirname(files.root)
  const kept = fs.readdirSync(home)
  disk = mountSmallDisk(home, DISK_MIB)
  expect(kept).toContain(path.basename(files.root))
  fs.mkdirSync(files.root, { mode: 0o700 })
  fs.chownSync(files.root, files.uid, files.uid)
  files.put('world/level.dat', Buffer.alloc(MIB))
  files.put('mods.zip', zipOf([{ name: 'mods/a.jar', content: 'a'.repeat(1_000) }]))
  files.put('old.txt', 'old')
})
afterEach(async () => {
  // First, because the folder of the rig cannot be removed while something is mounted in it.
  disk.remove()
  await sftp.close()
})

const freeBytes = (): number => {
  const { bavail, bsize } = fs.statfsSync(home)
  return bavail * bsize
}
/** Another server of the machine takes the disk but for these bytes. */
const leave = (bytes: number): void => {
  const filling = path.join(home, 'other-server')
  fs.rmSync(filling, { force: true })
  execFileSync('fallocate', ['-l', String(freeBytes() - bytes), filling])
}
const reserveBytes = () => reserveOf(sftp.files.layout)

const put = async (name: string, bytes: number): Promise<string> => {
  const client = await sftpOf((await connect(sftp, { password: PASSWORD }, false)).client)
  return new Promise((resolve) =>
    client.open(name, 'w', (error, handle) => {
      if (error) return resolve(error.message)
      return client.write(handle, Buffer.alloc(bytes), 0, bytes, 0, (failure) => resolve(failure?.message ?? 'done'))
    }),
  )
}

/** Writes parts of a file side by side, as clients do; resolves with what was said of each. */
const putParts = async (name: string, mode: 'w' | 'a', parts: readonly { at: number; bytes: number }[]) => {
  const client = await sftpOf((await connect(sftp, { password: PASSWORD }, false)).client)
  const handle = await new Promise<Buffer>((resolve, reject) =>
    client.open(name, mode, (error, made) => (error ? reject(error) : resolve(made))),
  )
  const said = await Promise.all(
    parts.map(
      ({ at, bytes }) =>
        new Promise<string>((resolve) =>
          client.write(handle, Buffer.alloc(bytes, 'x'), 0, bytes, at, (error) => resolve(error?.message ?? 'done')),
        ),
    ),
  )
  await new Promise((resolve) => client.close(handle, resolve))
  return said
}

describe('the reserve of a machine', () => {
  it('is a twentieth of the disk that the files of a server lie on', () => {
    expect(reserveBytes()).toBe(Math.ceil(DISK_MIB * MIB * 0.05))
    expect(reserveOf({ ...sftp.files.layout, image: { file: 'x', mountpoint: 'x', disk: 'x' } })).toBe(0)
  })

  it('is touched by no upload, copy, extraction, archive or SFTP; everything can still be deleted', async () => {
    const { files } = sftp
    leave(reserveBytes() - 100 * 1024)
    const before = freeBytes()
    expect(codeOf(await files.write('new.txt', 'new'))).toBe('NODE_FULL')
    expect(codeOf(await files.write('old.txt', 'newer'))).toBe('NODE_FULL')
    const copy = await files.job('copy', { moves: [{ from: 'world', to: 'copy' }] })
    expect(copy.refusals).toEqual(['NODE_FULL'])
    const extracted = await files.job('extract', { path: 'mods.zip', format: 'zip', to: 'mods' })
    expect(extracted.refusal).toBe('NODE_FULL')
    const packed = await files.job('compress', { folder: '', names: ['world'], to: 'w.zip', format: 'zip' })
    expect(packed.refusal).toBe('NODE_FULL')
    const coded = (text: string) => Buffer.from(text).toString('base64')
    const metadata = `path ${coded('big.bin')},replaces ${coded('new')}`
    const upload = await files.ask(`/servers/${files.rig.server().core.id}/files/uploads`, {
      method: 'POST',
      headers: { 'tus-resumable': '1.0.0', 'upload-length': '1000', 'upload-metadata': metadata },
    })
    expect(codeOf(upload)).toBe('NODE_FULL')
    expect(await put('sftp.bin', 1_000)).toContain('machine is almost full')
    expect(files.tree()).toEqual(['mods.zip', 'old.txt', 'sftp.bin', 'world', 'world/level.dat'])
    expect([files.text('old.txt'), fs.statSync(path.join(files.root, 'sftp.bin')).size]).toEqual(['old', 0])
    expect(before - freeBytes()).toBeLessThan(100 * 1024)
    expect((await files.job('delete', { paths: ['old.txt'] })).refusals).toEqual([null])
    expect((await files.job('delete', { paths: ['world', 'mods.zip'], forever: true })).refusals).toEqual([null, null])
    expect((await files.job('empty-bin', {})).state).toBe('done')
    expect(files.tree()).toEqual(['sftp.bin'])
  }, 240_000)

  it('bounds what fits beside it, and not one byte more', async () => {
    const { files } = sftp
    leave(reserveBytes() + 2 * MIB)
    expect(codeOf(await files.write('three.bin', Buffer.alloc(3 * MIB)))).toBe('NODE_FULL')
    expect((await files.write('one.bin', Buffer.alloc(MIB))).status).toBe(200)
    expect(codeOf(await files.write('two.bin', Buffer.alloc(2 * MIB)))).toBe('NODE_FULL')
    expect(await put('sftp.bin', 2 * MIB)).toContain('almost full')
    expect(freeBytes()).toBeGreaterThanOrEqual(reserveBytes())
  })

  it('leaves no hole in a file of SFTP whose parts are sent side by side, and adds nothing behind a part that is missing', async () => {
    const { files } = sftp
    leave(reserveBytes() + 24 * 1024)
    const parts = [
      { at: 0, bytes: 32 * 1024 },
      { at: 32 * 1024, bytes: 4 * 1024 },
      { at: 36 * 1024, bytes: 1_000 },
    ]
    const refused = parts.map(() => expect.stringContaining('almost full') as string)
    expect(await putParts('holes.bin', 'w', parts)).toEqual(refused)
    expect(fs.statSync(path.join(files.root, 'holes.bin')).size).toBe(0)
    expect(await putParts('old.txt', 'a', parts)).toEqual(refused)
    expect(files.text('old.txt')).toBe('old')
  })

  it('bounds only what grows: an empty file is made, and a file is cut', async () => {
    const { files } = sftp
    await files.write('world/grown.txt', 'some text')
    leave(reserveBytes() - 100 * 1024)
    expect((await files.write('empty.txt', '')).status).toBe(200)
    const client = await sftpOf((await connect(sftp, { password: PASSWORD }, false)).client)
    const cut = await new Promise<string>((resolve) =>
      client.setstat('world/grown.txt', { size: 4 }, (error) => resolve(error?.message ?? 'done')),
    )
    expect([cut, files.text('world/grown.txt')]).toEqual(['done', 'some'])
  })

  it('ends a download from the web of unknown length, and leaves nothing of it', async () => {
    const { files } = sftp
    leave(reserveBytes() + 2 * MIB)
    const [root, area] = [await HeldFolder.open(files.root), await HeldFolder.open(home)]
    const own = await OwnArea.open(area)
    const worker = workerCalls({
      root: new ServerRoot(root),
      area: own,
      ids: systemIds,
      faults: noFaults,
      now: Date.now,
      unpacker: new Unpacker(() => Buffer.alloc(0)),
    })
    worker.growth.measured({ freeBytes: 1e9, measurement: 1, reserveBytes: reserveBytes() })
    let lowest = Number.POSITIVE_INFINITY
    function* endless(): Generator<Buffer> {
      for (let piece = 0; piece < 1_000; piece += 1) {
        lowest = Math.min(lowest, freeBytes())
        yield Buffer.alloc(64 * 1024)
      }
    }
    const wanted = { bytes: undefined, replaces: 'new' } as const
    await expect(worker.content.write('pulled.bin', Readable.from(endless()), wanted)).rejects.toThrow('NODE_FULL')
    expect(lowest).toBeGreaterThanOrEqual(reserveBytes())
    expect(lowest).toBeLessThan(reserveBytes() + MIB)
    expect([files.exists('pulled.bin'), fs.readdirSync(path.join(home, 'parts'))]).toEqual([false, []])
    for (const folder of [root, area, own.parts, own.ready, own.bin, own.history, own.uploads]) await folder.close()
  })
})
