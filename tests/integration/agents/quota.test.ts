import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { BinEntry, Usage } from '#contracts/panel/node-files.ts'
import { imageBytesOf } from '../../../agents/quota/loop-ext4/image-size.ts'
import type { QuotaName } from '../../../agents/quota/catalog.ts'
import { nextId, SERVER_ID } from '../../factories/server-spec.ts'
import { tarOf } from '../../support/archives.ts'
import { codeOf, FilesRig, IDENTIFIER } from '../../support/files-rig.ts'
import { SftpRig } from '../../support/sftp-rig.ts'
import { waitFor } from '../../support/wait-for.ts'

const MIB = 1024 * 1024
const LIMIT_MIB = 128
/** Measured by walking, a folder is measured at most every 30 s. */
const MEASURED_AFTER_MS = 31_000
const limits = (storageMiB: number) => ({ cpuPercent: 100, memoryMiB: 512, storageMiB, pids: 512 })

let rig: FilesRig
let sftp: SftpRig
const open = async (quota: QuotaName): Promise<void> => {
  rig = await FilesRig.open({ limits: limits(LIMIT_MIB) }, quota)
  sftp = await SftpRig.open(rig)
}
afterEach(() => sftp.close())

/** Nothing is mounted after it. */
const restartMachine = async (): Promise<void> => {
  const { image } = rig.layout
  await rig.workers.end({ serverId: SERVER_ID, stateFile: '' })
  if (image !== null)
    await waitFor('the end of all readers', () => execFileSync('umount', [image.mountpoint]) !== undefined)
}
const mounts = (): string[] =>
  fs
    .readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .flatMap((line) => line.split(' ')[1] ?? [])
const usage = async () => (await rig.call('usage', {})).json as Usage
/** The usage that was measured after now. */
const measured = async (isIt: (usage: Usage) => boolean): Promise<Usage> =>
  waitFor('the measurement', async () => {
    rig.rig.clock.set(rig.rig.clock.now() + MEASURED_AFTER_MS)
    const now = await usage()
    return isIt(now) && now
  })
const refusals = ({ json }: { json: unknown }) => (json as { refusals?: unknown }).refusals
const fileOf = (name: string) => path.join(rig.rig.folder, name)

describe.each(['watcher', 'loop-ext4'] as const)('storage by %s', (quota) => {
  beforeEach(() => open(quota))

  it('counts files and bin, and knows the limit', async () => {
    rig.put('world.dat', randomBytes(10 * MIB))
    rig.put('old.dat', randomBytes(5 * MIB))
    expect((await rig.settled('delete', { paths: ['old.dat'], forever: false })).status).toBe(200)
    const { bytes, binBytes, limitBytes } = await measured((now) => now.binBytes > 0 && now.bytes > 0)
    expect(limitBytes).toBe(LIMIT_MIB * MIB)
    expect([bytes, binBytes].map((figure) => Math.floor(figure / MIB))).toEqual([10, 5])
    const { entries } = (await rig.call('bin', {})).json as { entries: BinEntry[] }
    await rig.settled('empty-bin', { ids: entries.map(({ id }) => id) })
    const emptied = await measured((now) => now.binBytes < MIB)
    expect(Math.floor(emptied.bytes / MIB)).toBe(10)
  })

  it('is measured at once when somebody asks for it, and the next measurement says the same', async () => {
    await measured((now) => now.limitBytes > 0)
    rig.put('world.dat', randomBytes(12 * MIB))
    expect(Math.floor((await rig.measure()).bytes / MIB)).toBe(12)
    fs.rmSync(path.join(rig.root, 'world.dat'))
    const present = await rig.measure()
    expect(Math.floor(present.bytes / MIB)).toBe(0)
    const { bytes, binBytes } = await usage()
    expect([bytes, binBytes]).toEqual([present.bytes, present.ownBytes])
  })

  it('refuses an upload, a copy, an archive and SFTP beyond it, leaves nothing, and takes them once there is room', async () => {
    const pack = randomBytes(10 * MIB)
    rig.put('filling.dat', randomBytes((LIMIT_MIB - 35) * MIB))
    rig.put('world.dat', randomBytes(10 * MIB))
    rig.put('pack.tar', tarOf([{ name: 'data.bin', content: pack }]))
    rig.put('more.dat', randomBytes(10 * MIB))
    fs.writeFileSync(fileOf('local.bin'), pack)
    await measured((now) => now.bytes > (LIMIT_MIB - 6) * MIB)
    const before = rig.tree()
    const operations = {
      upload: async () => codeOf(await rig.write('new.bin', pack, { 'if-none-match': '*' })),
      copy: async () => String(refusals(await rig.settled('copy', { moves: [{ from: 'world.dat', to: 'copy.dat' }] }))),
      extract: async () =>
        codeOf(await rig.settled('extract', { path: 'pack.tar', format: 'tar', to: 'out', replaces: false })),
    }
    for (const run of Object.values(operations)) expect(await run()).toBe('NO_SPACE')
    expect(await sftp.sftp([`put ${fileOf('local.bin')} sent.bin`])).toMatchObject({ code: 1 })
    expect(rig.tree().filter((name) => name !== 'sent.bin')).toEqual(before)
    // A client of SFTP writes in place; whatever it has written stays for it to resume.
    fs.rmSync(path.join(rig.root, 'sent.bin'), { force: true })
    expect((await rig.settled('delete', { paths: ['filling.dat'], forever: true })).status).toBe(200)
    await measured((now) => now.bytes < 50 * MIB)
    expect([await operations.upload(), await operations.copy()]).toEqual([undefined, ''])
    expect(await operations.extract()).toBeUndefined()
    expect(await sftp.sftp([`put ${fileOf('local.bin')} sent.bin`])).toMatchObject({ code: 0 })
    for (const name of ['new.bin', 'out/data.bin', 'sent.bin'])
      expect(pack.equals(fs.readFileSync(path.join(rig.root, name)))).toBe(true)
  })

  it('leaves no mount and no file when the server is deleted, also while somebody reads', async () => {
    rig.put('world.dat', randomBytes(MIB))
    await rig.read('world.dat')
    const { base, image } = rig.layout
    expect(image !== null && mounts().includes(image.mountpoint)).toBe(quota === 'loop-ext4')
    const reader = fs.openSync(path.join(rig.root, 'world.dat'), 'r')
    try {
      const fields = { id: nextId(), serverId: SERVER_ID, generation: 2, requestId: 'r' }
      await rig.rig.manager.execute({ ...fields, kind: 'delete', tombstone: true })
      expect(rig.rig.result(fields.id)).toMatchObject({ ok: true })
      expect([fs.existsSync(base), mounts().filter((at) => at.startsWith(path.dirname(base)))]).toEqual([false, []])
    } finally {
      fs.closeSync(reader)
    }
  })

  it('has the same files for the next agent, and after a restart of the machine', async () => {
    const world = randomBytes(3 * MIB)
    rig.put('world.dat', world)
    const { image } = rig.layout
    for (const ends of [() => {}, restartMachine]) {
      await ends()
      // The present setting does not matter: a server keeps the place in which it was made.
      await rig.openAgent(quota === 'watcher' ? 'loop-ext4' : 'watcher')
      await rig.openDoor()
      expect(rig.layout.image).toEqual(image)
      expect(world.equals((await rig.read('world.dat')).bytes)).toBe(true)
      expect((await rig.write('after.txt', 'text')).status).toBe(200)
    }
  })
})

describe('a disk of its own', () => {
  beforeEach(() => open('loop-ext4'))

  const sizeMiB = () => {
    const { blocks, bsize } = fs.statfsSync(rig.layout.image?.disk ?? '')
    return Math.floor((blocks * bsize) / MIB)
  }
  /** The control plane says another size while the server is off. */
  const update = async (storageMiB: number) => {
    const spec = rig.rig.spec({ identifier: IDENTIFIER, generation: 1, limits: limits(storageMiB) })
    const fields = { id: nextId(), serverId: SERVER_ID, generation: 1, requestId: 'r' }
    await rig.rig.manager.execute({ ...fields, kind: 'update', spec })
    return rig.rig.result(fields.id)
  }
  const resize = async (storageMiB: number): Promise<void> =>
    expect(await update(storageMiB)).toMatchObject({ ok: true })
  /** Whether the process is in a mount namespace of its own that has the server's disk. */
  const holdsDisk = (pid = 0): boolean =>
    // Its program begins when the namespace is private.
    fs.readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sleep\n' &&
    fs.readlinkSync(`/proc/${pid}/ns/mnt`) !== fs.readlinkSync('/proc/self/ns/mnt') &&
    fs.readFileSync(`/proc/${pid}/mounts`, 'utf8').includes(rig.layout.image?.mountpoint ?? '-')
  /** As the server's program writes: nobody counts, and only the disk refuses. */
  const fill = (name: string): string => {
    const script = `head -c 2000000000 /dev/zero > ${path.join(rig.root, name)}`
    const { stderr } = spawnSync('sh', ['-c', script], { uid: rig.uid, gid: rig.uid, encoding: 'utf8' })
    return stderr
  }

  it('gives a program its storage and little more, and what it frees is there again', async () => {
    expect(fill('grown.dat')).toContain('No space left on device')
    const grown = fs.statSync(path.join(rig.root, 'grown.dat')).size
    expect(grown).toBeGreaterThanOrEqual(LIMIT_MIB * MIB)
    expect(grown).toBeLessThan(LIMIT_MIB * MIB * 1.2)
    expect(codeOf(await rig.write('new.txt', 'x'.repeat(100_000)))).toBe('NO_SPACE')
    fs.rmSync(path.join(rig.root, 'grown.dat'))
    await measured((now) => now.bytes < MIB)
    expect((await rig.write('new.txt', 'x'.repeat(100_000))).status).toBe(200)
  })

  it('that is full ends an upload by SFTP in the middle, and the client goes on once there is room', async () => {
    const world = randomBytes(10 * MIB)
    fs.writeFileSync(fileOf('world.dat'), world)
    await measured((now) => now.limitBytes > 0)
    // Nobody has measured it yet: only the disk refuses.
    expect(fill('grown.dat')).toContain('No space left on device')
    const grown = path.join(rig.root, 'grown.dat')
    fs.truncateSync(grown, fs.statSync(grown).size - 3 * MIB)
    const { code, output } = await sftp.sftp([`put ${fileOf('world.dat')} world.dat`])
    expect([code, output]).toEqual([1, expect.stringContaining('Failure')])
    const sent = fs.readFileSync(path.join(rig.root, 'world.dat'))
    expect([sent.length < world.length, world.subarray(0, sent.length).equals(sent)]).toEqual([true, true])
    fs.rmSync(grown)
    await measured((now) => now.bytes < 12 * MIB)
    expect(await sftp.sftp([`reput ${fileOf('world.dat')} world.dat`])).toMatchObject({ code: 0 })
    expect(fs.readFileSync(path.join(rig.root, 'world.dat')).equals(world)).toBe(true)
  })

  it('grows and shrinks with the size of the server, and keeps every byte', async () => {
    const world = randomBytes(20 * MIB)
    rig.put('world.dat', world)
    await rig.read('world.dat')
    for (const storageMiB of [512, 64]) {
      await resize(storageMiB)
      expect(sizeMiB()).toBeGreaterThanOrEqual(storageMiB)
      expect(sizeMiB()).toBeLessThan(storageMiB * 1.1 + 24)
      expect(world.equals((await rig.read('world.dat')).bytes)).toBe(true)
      expect((await usage()).limitBytes).toBe(storageMiB * MIB)
    }
    expect(fs.readdirSync(rig.layout.base).sort()).toEqual(['console', 'npm', 'state', 'storage', 'storage.ext4'])
  })

  it('keeps its size while it holds more than the new one, or while somebody reads there', async () => {
    rig.put('world.dat', randomBytes(70 * MIB))
    const before = sizeMiB()
    await resize(64)
    expect([sizeMiB(), fs.statSync(path.join(rig.root, 'world.dat')).size]).toEqual([before, 70 * MIB])
    const reader = fs.openSync(path.join(rig.root, 'world.dat'), 'r')
    await resize(512)
    expect(sizeMiB()).toBe(before)
    fs.closeSync(reader)
    // As a container does, which keeps the disk after it was unmounted here.
    const holder = spawn('unshare', ['--mount', '--propagation', 'private', 'sleep', '600'], { stdio: 'ignore' })
    await waitFor('the other mount namespace', () => holdsDisk(holder.pid))
    await resize(512)
    expect(sizeMiB()).toBe(before)
    const ended = once(holder, 'exit')
    holder.kill()
    await ended
    await resize(512)
    expect(sizeMiB()).toBeGreaterThanOrEqual(512)
  })

  it('is refused a size for which the node has no room, and stays as it was', async () => {
    rig.put('world.dat', 'world')
    const before = sizeMiB()
    expect(await update(900_000_000)).toMatchObject({ ok: false, code: 'DISK_FULL' })
    expect([sizeMiB(), rig.text('world.dat')]).toEqual([before, 'world'])
    expect(await update(LIMIT_MIB)).toMatchObject({ ok: true })
    expect([sizeMiB(), rig.text('world.dat')]).toEqual([before, 'world'])
  })

  it('finishes a growth that was interrupted after the file had grown', async () => {
    rig.put('world.dat', 'world')
    const { image } = rig.layout
    if (image === null) throw new Error('no image')
    await restartMachine()
    fs.writeFileSync(`${image.file}.growing`, '')
    fs.truncateSync(image.file, imageBytesOf(512))
    await rig.openAgent('loop-ext4')
    await rig.openDoor()
    expect(sizeMiB()).toBeLessThan(200)
    await resize(512)
    expect([sizeMiB() >= 512, fs.existsSync(`${image.file}.growing`), rig.text('world.dat')]).toEqual([
      true,
      false,
      'world',
    ])
  })

  it('is not made where the node has no room, and the next server finds no half of it', async () => {
    const huge = { id: nextId(), identifier: 'huge1', limits: limits(900_000_000) }
    expect(await rig.rig.install(huge)).toMatchObject({ ok: false, code: 'DISK_FULL' })
    const folder = path.join(rig.rig.folder, 'servers/huge1')
    expect(fs.readdirSync(folder).sort()).toEqual(['console', 'state'])
  })
})
