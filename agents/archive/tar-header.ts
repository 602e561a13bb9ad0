import { isUtf8 } from 'node:buffer'

/** One entry of an archive. Names are bytes, because a file system's names are. */
export interface TarEntry {
  readonly name: Buffer
  readonly type: 'file' | 'directory' | 'symlink'
  readonly size: number
  readonly mode: number
  readonly mtimeSeconds: number
  /** The target of a symlink. */
  readonly link?: Buffer
}

const BLOCK_BYTES = 512
const NAME_BYTES = 100
/** The end of a tar: two empty blocks. */
export const TAR_END = Buffer.alloc(2 * BLOCK_BYTES)
/** The largest size that fits the field of a header. */
const MAX_SIZE = 8 ** 11 - 1
const TYPES = { file: '0', directory: '5', symlink: '2' } as const

/** Zeros after `bytes` up to the end of their block. */
export const paddingOf = (bytes: number): number => (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES

const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`

interface Fields {
  readonly name: Buffer
  readonly type: string
  readonly size: number
  readonly mode?: number
  readonly mtimeSeconds?: number
  readonly link?: Buffer
}

const block = ({ name, type, size, mode = 0o644, mtimeSeconds = 0, link = Buffer.alloc(0) }: Fields): Buffer => {
  const header = Buffer.alloc(BLOCK_BYTES)
  name.copy(header, 0, 0, NAME_BYTES)
  header.write(octal(mode, 7), 100, 'latin1')
  header.write(octal(0, 7), 108, 'latin1')
  header.write(octal(0, 7), 116, 'latin1')
  header.write(octal(Math.min(size, MAX_SIZE), 11), 124, 'latin1')
  header.write(octal(mtimeSeconds, 11), 136, 'latin1')
  header.write(' '.repeat(8), 148, 'latin1')
  header.write(type, 156, 'latin1')
  link.copy(header, 157, 0, NAME_BYTES)
  header.write('ustar\u000000', 257, 'latin1')
  let sum = 0
  for (const byte of header) sum += byte
  header.write(`${octal(sum, 6)} `, 148, 'latin1')
  return header
}

const withBody = (fields: Omit<Fields, 'size'>, body: Buffer): Buffer =>
  Buffer.concat([block({ ...fields, size: body.length }), body, Buffer.alloc(paddingOf(body.length))])

/** A record of an extended header; its length counts its own digits. */
const record = (key: string, value: string | Buffer): Buffer => {
  const rest = Buffer.concat([Buffer.from(` ${key}=`), Buffer.from(value), Buffer.from('\n')])
  let length = rest.length
  while (length !== rest.length + String(length).length) length = rest.length + String(length).length
  return Buffer.concat([Buffer.from(String(length)), rest])
}

const isAscii = (text: Buffer): boolean => text.every((byte) => byte < 0x80)

/**
 * How a name is written. An extended header is UTF-8 by definition. A name that is not UTF-8 stays as it is: in the plain
 * header, which declares no encoding, or in front of it as GNU tar writes long names.
 */
const wayOf = (name: Buffer): 'plain' | 'extended' | 'raw long' => {
  if (!isUtf8(name)) return name.length > NAME_BYTES ? 'raw long' : 'plain'
  return isAscii(name) && name.length <= NAME_BYTES ? 'plain' : 'extended'
}

/** Everything in front of an entry's content. */
export const tarHeader = ({ name, type, size, mode, mtimeSeconds, link }: TarEntry): Buffer => {
  const long = (kind: string, text: Buffer): Buffer =>
    withBody({ name: Buffer.from('././@LongLink'), type: kind }, Buffer.concat([text, Buffer.alloc(1)]))
  const records = [
    ...(wayOf(name) === 'extended' ? [record('path', name)] : []),
    ...(link !== undefined && wayOf(link) === 'extended' ? [record('linkpath', link)] : []),
    ...(size > MAX_SIZE ? [record('size', String(size))] : []),
  ]
  return Buffer.concat([
    ...(records.length > 0 ? [withBody({ name: Buffer.from('PaxHeader'), type: 'x' }, Buffer.concat(records))] : []),
    ...(link !== undefined && wayOf(link) === 'raw long' ? [long('K', link)] : []),
    ...(wayOf(name) === 'raw long' ? [long('L', name)] : []),
    block({ name, type: TYPES[type], size, mode, mtimeSeconds, ...(link === undefined ? {} : { link }) }),
  ])
}
