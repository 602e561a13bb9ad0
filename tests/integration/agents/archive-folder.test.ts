import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

import { createTarDecoder, type TarHeader } from 'modern-tar'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { HeldFolder } from '../../../agents/platform/held-folder.ts'
import { ArchiveRig, IDENTIFIER } from '../../support/archive-rig.ts'
import { waitFor } from '../../support/wait-for.ts'

const MIB = 1024 * 1024
let node: ArchiveRig

beforeEach(async () => {
  node = await ArchiveRig.open()
})
afterEach(() => node.close())

interface Found {
  readonly header: TarHeader
  readonly bytes: number
  readonly head: string
}

/** Every entry of the archive, by its name; of the content its length and its beginning. */
const unpack = async (answer: IncomingMessage): Promise<Map<string, Found>> => {
  expect(answer.statusCode).toBe(200)
  const found = new Map<string, Found>()
  const plain = Readable.toWeb(answer.pipe(createGunzip())) as ReadableStream<Uint8Array>
  for await (const { header, body } of plain.pipeThrough(createTarDecoder({ strict: true }))) {
    let [bytes, head] = [0, '']
    for await (const chunk of body) {
      if (head.length < 100) head += Buffer.from(chunk.subarray(0, 100)).toString()
      bytes += chunk.length
    }
    found.set(header.name, { header, bytes, head: head.slice(0, 100) })
  }
  return found
}
const MORE_THAN_HEADERS = 64 * 1024

/** Reads until a large file is on its way, whose header with its size came before it, and puts back what was read. */
async function begun(answer: IncomingMessage): Promise<void> {
  let read = Buffer.alloc(0)
  while (read.length < MORE_THAN_HEADERS) {
    await once(answer, 'readable')
    const part: unknown = answer.read()
    if (Buffer.isBuffer(part)) read = Buffer.concat([read, part])
  }
  answer.unshift(read)
}
/** Every path below a folder, in hexadecimal, with the content of a file or the target of a link. */
const everythingIn = (folder: Buffer): string[] =>
  fs
    .readdirSync(folder, { encoding: 'buffer' })
    .flatMap((name) => {
      const file = Buffer.concat([folder, Buffer.from('/'), name])
      const stats = fs.lstatSync(file)
      const hex = name.toString('hex')
      if (stats.isDirectory()) return [hex, ...everythingIn(file).map((below) => `${hex}/${below}`)].toSorted()
      const content = stats.isSymbolicLink() ? fs.readlinkSync(file, { encoding: 'buffer' }) : fs.readFileSync(file)
      return [`${hex} ${content.toString('hex')}`]
    })
    .toSorted()

const take = async (): Promise<Map<string, Found>> => unpack(await node.ask(await node.token()))

describe('the folder of an expired server', () => {
  it('is sent as one archive below its identifier, with headers that keep it a file', async () => {
    fs.mkdirSync(path.join(node.root, 'world/region'), { recursive: true })
    node.write('world/level.dat', 'level')
    node.write('world/region/r.0.0.mca', Buffer.alloc(3 * MIB, 7))
    fs.chmodSync(path.join(node.root, 'world/level.dat'), 0o4640)
    const answer = await node.ask(await node.token())
    expect(answer.headers).toMatchObject({
      'content-type': 'application/gzip',
      'content-disposition': `attachment; filename="${IDENTIFIER}.tar.gz"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    const found = await unpack(answer)
    expect([...found.keys()].toSorted()).toEqual([
      `${IDENTIFIER}/world/`,
      `${IDENTIFIER}/world/level.dat`,
      `${IDENTIFIER}/world/region/`,
      `${IDENTIFIER}/world/region/r.0.0.mca`,
    ])
    const level = found.get(`${IDENTIFIER}/world/level.dat`)
    expect([level?.head, level?.header.mode, level?.header.uid]).toEqual(['level', 0o640, 0])
    expect(found.get(`${IDENTIFIER}/world/region/r.0.0.mca`)?.bytes).toBe(3 * MIB)
  })

  it('contains nothing of the agent: no state, no console, no npm cache', async () => {
    node.write('a')
    const beside = path.dirname(node.root)
    expect(fs.readdirSync(path.join(beside, 'state'))).toContain('server.json')
    expect([...(await take()).keys()]).toEqual([`${IDENTIFIER}/a`])
  })

  it('stores links as links and follows none', async () => {
    const outside = path.join(node.rig.folder, 'outside')
    fs.mkdirSync(outside)
    fs.writeFileSync(path.join(outside, 'secret'), 'secret')
    fs.symlinkSync('/etc/passwd', path.join(node.root, 'file-link'))
    fs.symlinkSync(outside, path.join(node.root, 'folder-link'))
    fs.symlinkSync('világ/árvíz', path.join(node.root, 'hová'))
    const found = await take()
    expect([...found].map(([name, { header }]) => [name, header.type, header.linkname]).toSorted()).toEqual([
      [`${IDENTIFIER}/file-link`, 'symlink', '/etc/passwd'],
      [`${IDENTIFIER}/folder-link`, 'symlink', outside],
      [`${IDENTIFIER}/hová`, 'symlink', 'világ/árvíz'],
    ])
  })

  it('never leaves the folder while a folder in it is repeatedly swapped for a link', async () => {
    const outside = path.join(node.rig.folder, 'outside')
    fs.mkdirSync(outside)
    fs.writeFileSync(path.join(outside, 'secret'), 'secret')
    const [swapped, kept] = [path.join(node.root, 'swapped'), path.join(node.root, 'kept')]
    let isOver = false
    const swapping = (async () => {
      for (let turn = 0; !isOver; turn += 1) {
        fs.rmSync(swapped, { recursive: true, force: true })
        if (turn % 2 === 0) fs.symlinkSync(outside, swapped)
        else {
          fs.mkdirSync(swapped)
          fs.writeFileSync(path.join(swapped, 'own'), 'own')
        }
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    fs.mkdirSync(kept)
    for (let turn = 0; turn < 60; turn += 1) {
      const found = await take()
      expect([...found.keys()].filter((name) => name.includes('secret'))).toEqual([])
      expect([...found.values()].filter(({ head }) => head === 'secret')).toEqual([])
    }
    isOver = true
    await swapping
  })

  it('leaves out pipes and sockets and waits for none', async () => {
    execFileSync('mkfifo', [path.join(node.root, 'pipe')])
    node.write('file')
    expect([...(await take()).keys()]).toEqual([`${IDENTIFIER}/file`])
  })

  it('opens no pipe and no link that replaced a file or a folder, and waits for none', async () => {
    execFileSync('mkfifo', [path.join(node.root, 'pipe')])
    fs.symlinkSync('/etc/passwd', path.join(node.root, 'file-link'))
    fs.symlinkSync('/etc', path.join(node.root, 'folder-link'))
    const folder = await HeldFolder.open(node.root)
    expect(await folder.file(Buffer.from('pipe'))).toBeUndefined()
    await expect(folder.file(Buffer.from('file-link'))).rejects.toMatchObject({ code: 'ELOOP' })
    await expect(folder.folder(Buffer.from('folder-link'))).rejects.toMatchObject({ code: 'ENOTDIR' })
    await folder.close()
    expect(node.openFiles()).toEqual([])
  })

  it('keeps unusual names: a new line, quotes, other scripts, and 255 bytes', async () => {
    const long = 'é'.repeat(127)
    const names = ['new\nline', `"quoted" 'name'`, '-rf', ' space ', 'világ 🌍', long, 'back\\slash']
    for (const name of names) node.write(name, name.slice(0, 5))
    const deep = path.join(node.root, 'mély'.repeat(20), 'mappa'.repeat(30))
    fs.mkdirSync(deep, { recursive: true })
    fs.writeFileSync(path.join(deep, 'fájl'), 'deep')
    const found = await take()
    for (const name of names) expect(found.get(`${IDENTIFIER}/${name}`)?.head).toBe(name.slice(0, 5))
    expect(found.get(`${IDENTIFIER}/${path.relative(node.root, deep)}/fájl`)?.head).toBe('deep')
  })

  it.each(['C', 'C.UTF-8'])(
    'keeps names and targets that are no text byte for byte, as the tar of the system unpacks them in the locale %s [S13]',
    async (locale) => {
      const cafe = Buffer.from('caf\u00e9', 'latin1')
      const long = Buffer.concat([Buffer.alloc(150, 'x'), Buffer.from([0xff, 0xfe])])
      const at = (...names: Buffer[]) =>
        Buffer.concat([node.root, ...names].flatMap((name) => [Buffer.from('/'), Buffer.from(name)]))
      fs.mkdirSync(at(cafe))
      for (const name of [cafe, long, Buffer.from('világ')]) {
        fs.writeFileSync(at(cafe, name), name)
        fs.symlinkSync(name, at(Buffer.concat([name, Buffer.from('.link')])))
      }
      const target = path.join(node.rig.folder, 'unpacked')
      fs.mkdirSync(target)
      const archive = path.join(node.rig.folder, 'taken.tar.gz')
      await once((await node.ask(await node.token())).pipe(fs.createWriteStream(archive)), 'close')
      const extract = ['--extract', '--gzip', `--file=${archive}`, `--directory=${target}`]
      expect(execFileSync('tar', extract, { env: { ...process.env, LC_ALL: locale } }).toString()).toBe('')
      const unpacked = Buffer.from(path.join(target, IDENTIFIER))
      expect(everythingIn(unpacked)).toEqual(everythingIn(Buffer.from(node.root)))
      expect(everythingIn(unpacked)).toContain(
        `${cafe.toString('hex')}/${long.toString('hex')} ${long.toString('hex')}`,
      )
    },
  )

  it("is unpacked by the system's tar to the same 5,000 files", async () => {
    fs.mkdirSync(path.join(node.root, 'many'))
    for (let number = 0; number < 5_000; number += 1) node.write(`many/ő-${number}`, String(number))
    const archive = path.join(node.rig.folder, 'taken.tar.gz')
    const answer = await node.ask(await node.token())
    await once(answer.pipe(fs.createWriteStream(archive)), 'close')
    const target = path.join(node.rig.folder, 'unpacked')
    fs.mkdirSync(target)
    execFileSync('tar', ['--extract', '--gzip', `--file=${archive}`, `--directory=${target}`])
    execFileSync('diff', ['--recursive', node.root, path.join(target, IDENTIFIER)])
    expect(fs.readdirSync(path.join(target, IDENTIFIER, 'many'))).toHaveLength(5_000)
  })

  it('states the right size of a file above 8 GiB', async () => {
    node.write('huge')
    fs.truncateSync(path.join(node.root, 'huge'), 9 * 1024 * MIB)
    const answer = await node.ask(await node.token())
    const tar = Readable.toWeb(answer.pipe(createGunzip())) as ReadableStream<Uint8Array>
    const { value } = await tar
      .pipeThrough(createTarDecoder({ strict: true }))
      .getReader()
      .read()
    expect([value?.header.name, value?.header.size]).toEqual([`${IDENTIFIER}/huge`, 9 * 1024 * MIB])
    answer.destroy()
  })

  it('clamps a time that no archive format can store', async () => {
    node.write('future')
    fs.utimesSync(path.join(node.root, 'future'), 9_999_999_999, 9_999_999_999)
    const found = await take()
    expect(found.get(`${IDENTIFIER}/future`)?.header.mtime?.getTime()).toBe((2 ** 31 - 1) * 1_000)
  })

  it('continues when a file shrinks or vanishes meanwhile, and names what is missing', async () => {
    node.writeLarge()
    node.write('unreadable')
    const answer = await node.ask(await node.token())
    await begun(answer)
    expect(node.openFiles().some((file) => file.endsWith('/large'))).toBe(true)
    fs.truncateSync(path.join(node.root, 'large'), MIB)
    const found = await unpack(answer)
    expect(found.get(`${IDENTIFIER}/large`)?.bytes).toBe(64 * MIB)
    expect(found.get(`${IDENTIFIER}-left-out.txt`)?.head).toContain(`${IDENTIFIER}/large (the last `)
  })

  it('leaves nothing open when a client disconnects, and holds only its buffers for one that reads nothing', async () => {
    node.writeLarge()
    const before = node.openFiles().length
    const answer = await node.ask(await node.token())
    answer.pause()
    await waitFor('the download', () => node.door.downloads === 1 && node.openFiles().length > before)
    const { arrayBuffers } = process.memoryUsage()
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(process.memoryUsage().arrayBuffers - arrayBuffers).toBeLessThan(24 * MIB)
    answer.destroy()
    await waitFor('the end', () => node.door.downloads === 0)
    expect(node.openFiles().length).toBe(before)
    expect(node.logged.join('\n')).toContain('an archive was broken off')
  })
})
