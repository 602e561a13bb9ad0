import { describe, expect, it } from 'vitest'

import { paddingOf, tarHeader, type TarEntry } from '../../../../agents/archive/tar-header.ts'

const fileNamed = (name: Buffer | string): TarEntry => ({
  name: Buffer.from(name),
  type: 'file',
  size: 0,
  mode: 0o644,
  mtimeSeconds: 1,
})
/** The types of the blocks that begin an entry, in their order. */
const kindsOf = (header: Buffer): string[] => {
  const kinds: string[] = []
  for (let at = 0; at < header.length;) {
    const kind = String.fromCharCode(header[at + 156] ?? 0)
    const size = Number.parseInt(header.toString('latin1', at + 124, at + 135), 8)
    kinds.push(kind)
    at += 512 + (kind === '0' ? 0 : size + paddingOf(size))
  }
  return kinds
}
const RAW = Buffer.from([0x63, 0xff, 0xfe])

describe('the header of an entry', () => {
  it.each([
    ['a short name of ASCII', 'world/level.dat', ['0']],
    ['a name of 100 bytes', 'x'.repeat(100), ['0']],
    ['a longer name', 'x'.repeat(101), ['x', '0']],
    ['a name beyond ASCII', 'világ', ['x', '0']],
    ['a name that is no text', RAW, ['0']],
    ['a long name that is no text', Buffer.concat([Buffer.alloc(100, 'x'), RAW]), ['L', '0']],
  ])('for %s is of the kinds %j', (_name, name, kinds) => {
    expect(kindsOf(tarHeader(fileNamed(name)))).toEqual(kinds)
  })

  it('holds the bytes of a name that is no text', () => {
    expect(tarHeader(fileNamed(RAW)).subarray(0, 4)).toEqual(Buffer.concat([RAW, Buffer.alloc(1)]))
    const long = Buffer.concat([Buffer.alloc(150, 'x'), RAW])
    expect(tarHeader(fileNamed(long)).includes(long)).toBe(true)
  })

  it('states a size that its field cannot hold in a record', () => {
    const header = tarHeader({ ...fileNamed('huge'), size: 9 * 2 ** 30 })
    expect(header.toString('latin1')).toContain(`19 size=${9 * 2 ** 30}\n`)
  })
})
