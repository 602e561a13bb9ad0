import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'

import sevenZip from '7z-wasm'

/** An entry as an attacker writes it: nothing is checked. */
export interface ZipFields {
  readonly name: string | Buffer
  readonly content?: Buffer | string
  /** With the file's type, as Unix has it; 0 for an archive that was not made on Unix. */
  readonly mode?: number
  /** The directory's entry, instead of the truth. */
  readonly says?: {
    readonly size?: number
    readonly packed?: number
    readonly crc?: number
    readonly encrypted?: boolean
  }
  /** Shares the bytes of the entry with this index. */
  readonly sharesWith?: number
}

const uint = (bytes: 2 | 4, value: number): Buffer => {
  const buffer = Buffer.alloc(bytes)
  if (bytes === 2) buffer.writeUInt16LE(value)
  else buffer.writeUInt32LE(value >>> 0)
  return buffer
}
const u2 = (value: number): Buffer => uint(2, value)
const u4 = (value: number): Buffer => uint(4, value)
const DEFLATED = 8
const UTF8 = 0x800
const ENCRYPTED = 1
const MADE_ON_UNIX = 3 << 8

/** The record of a directory with more entries than two bytes can count (APPNOTE 4.3.14, 4.3.15). */
const zip64End = (directory: { entries: number; bytes: number; at: number }): Buffer[] => {
  const u8 = (value: number): Buffer => Buffer.concat([u4(value), u4(0)])
  const count = u8(directory.entries)
  const record = [
    u4(0x06064b50),
    u8(44),
    u2(45),
    u2(45),
    u4(0),
    u4(0),
    count,
    count,
    u8(directory.bytes),
    u8(directory.at),
  ]
  const locator = [u4(0x07064b50), u4(0), u8(directory.at + directory.bytes), u4(1)]
  return [...record, ...locator]
}

/** A zip of exactly these entries. */
export const zipOf = (entries: readonly ZipFields[]): Buffer => {
  const [bodies, directory, offsets]: [Buffer[], Buffer[], number[]] = [[], [], []]
  let at = 0
  for (const { name, content = '', mode = 0, says = {}, sharesWith } of entries) {
    const plain = Buffer.from(content)
    const packed = deflateRawSync(plain)
    const raw = Buffer.from(name)
    const { size = plain.length, packed: packedSize = packed.length, crc = crc32(plain) } = says
    const flags = (Buffer.isBuffer(name) ? 0 : UTF8) | (says.encrypted ? ENCRYPTED : 0)
    const times = Buffer.concat([u2(0), u2(0x21)])
    const common = [u2(20), u2(flags), u2(DEFLATED), times, u4(crc), u4(packedSize), u4(size), u2(raw.length), u2(0)]
    const offset = sharesWith === undefined ? at : (offsets[sharesWith] ?? 0)
    offsets.push(offset)
    if (sharesWith === undefined) {
      const body = Buffer.concat([u4(0x04034b50), ...common, raw, packed])
      bodies.push(body)
      at += body.length
    }
    const more = [u2(0), u2(0), u2(0), u4(mode * 2 ** 16), u4(offset)]
    directory.push(Buffer.concat([u4(0x02014b50), u2(mode === 0 ? 0 : MADE_ON_UNIX), ...common, ...more, raw]))
  }
  const list = Buffer.concat(directory)
  const count = u2(Math.min(entries.length, 0xffff))
  const many = entries.length < 0xffff ? [] : zip64End({ entries: entries.length, bytes: list.length, at })
  const end = [u4(0x06054b50), u2(0), u2(0), count, count, u4(list.length), u4(at), u2(0)]
  return Buffer.concat([...bodies, list, ...many, ...end])
}

export interface TarFields {
  readonly name: string | Buffer
  readonly content?: Buffer | string
  /** `0` file, `1` hard link, `2` link, `3` device, `5` folder, `S` with holes, `x` names of the next one, `L` its long name. */
  readonly type?: string
  readonly link?: string
  /** The field of the size, as it stands there. */
  readonly size?: string
}

const BLOCK = 512

/** A tar of exactly these entries, without its end where `isCut`. */
export const tarOf = (entries: readonly TarFields[], isCut = false): Buffer => {
  const blocks = entries.flatMap(({ name, content = '', type = '0', link = '', size }) => {
    const body = Buffer.from(content)
    const header = Buffer.alloc(BLOCK)
    Buffer.from(name).copy(header, 0, 0, 100)
    header.write('0000644\0', 100)
    header.write('0000000\0', 108)
    header.write('0000000\0', 116)
    header.write(size ?? `${body.length.toString(8).padStart(11, '0')}\0`, 124, 'latin1')
    header.write('00000000000\0', 136)
    header.write(type, 156)
    header.write(link, 157)
    header.write('ustar\u000000', 257, 'latin1')
    header.write(' '.repeat(8), 148)
    const sum = header.reduce((all, byte) => all + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
    return [header, body, Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK)]
  })
  return Buffer.concat([...blocks, ...(isCut ? [] : [Buffer.alloc(2 * BLOCK)])])
}

/** A record of an extended header (POSIX pax). */
export const paxRecord = (key: string, value: string): string => {
  const rest = ` ${key}=${value}\n`
  const length = Buffer.byteLength(rest)
  return `${length + String(length + String(length).length).length}${rest}`
}

/** The bytes as a tool of the machine reads them. */
const through = (tool: string, args: readonly string[], input: Buffer): Buffer => {
  const { status, stdout, stderr } = spawnSync(tool, args, { input, maxBuffer: 1024 * 1024 * 1024 })
  if (status !== 0) throw new Error(`${tool}: ${stderr.toString()}`)
  return stdout
}

/** How a tar becomes each format that wraps one. */
export const WRAPPINGS = {
  tar: (tar: Buffer) => tar,
  'tar.gz': (tar: Buffer) => gzipSync(tar),
  'tar.zst': (tar: Buffer) => through('zstd', ['-c'], tar),
  'tar.xz': (tar: Buffer) => through('xz', ['-c'], tar),
  'tar.bz2': (tar: Buffer) => through('bzip2', ['-c'], tar),
} as const

/** A 7z of so many empty files. */
export const sevenZipOfEmpty = async (count: number): Promise<Buffer> => {
  const program = await sevenZip({ print: () => {}, printErr: () => {} })
  program.FS.mkdir('/many')
  for (let index = 0; index < count; index += 1) program.FS.writeFile(`/many/f${index}`, '')
  const code = program.callMain(['a', '-mx=1', '/made.7z', '/many']) as unknown
  if (code !== 0) throw new Error(`7z ended with ${String(code)}`)
  return Buffer.from(program.FS.readFile('/made.7z'))
}

/** A 7z of files by name. `renames` gives entries a name that no file can have; a `password` encrypts. */
export const sevenZipOf = async (
  scratch: string,
  files: Readonly<Record<string, Buffer | string>>,
  { renames = {}, password }: { renames?: Readonly<Record<string, string>>; password?: string } = {},
): Promise<Buffer> => {
  const folder = fs.mkdtempSync(path.join(scratch, '7z-'))
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    fs.writeFileSync(path.join(folder, name), content)
  }
  const names = fs.readdirSync(folder)
  const run = async (args: string[]): Promise<void> => {
    const program = await sevenZip({ print: () => {}, printErr: () => {} })
    program.FS.mkdir('/here')
    program.FS.mount(program.NODEFS, { root: folder }, '/here')
    program.FS.chdir('/here')
    const code = program.callMain(args) as unknown
    if (code !== 0) throw new Error(`7z ended with ${String(code)}`)
  }
  await run(['a', '-mx=1', ...(password === undefined ? [] : [`-p${password}`]), 'made.7z', ...names])
  for (const [from, to] of Object.entries(renames)) await run(['rn', 'made.7z', from, to])
  return fs.readFileSync(path.join(folder, 'made.7z'))
}
