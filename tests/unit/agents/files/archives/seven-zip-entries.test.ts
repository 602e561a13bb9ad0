import { describe, expect, it } from 'vitest'

import { readList } from '../../../../../agents/files/archives/seven-zip-entries.ts'

const entry = (fields: Record<string, string>): string =>
  [...Object.entries(fields).map(([key, value]) => `${key} = ${value}`), '', ''].join('\n')
const list = async (text: string, pieceBytes = 7) => {
  async function* pieces(): AsyncGenerator<Buffer> {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += pieceBytes)
      yield await Promise.resolve(bytes.subarray(at, at + pieceBytes))
  }
  return readList(pieces())
}

describe('the list of a 7z', () => {
  it('has kind, size, time and permissions of each entry, in pieces of any size', async () => {
    const text = [
      entry({ Path: 'dir', Size: '0', Modified: '2026-11-27 04:19:44.1720000', Attributes: 'D drwxr-x---' }),
      entry({
        Path: 'dir/ő.sh',
        Size: '12',
        Modified: '',
        Attributes: 'A -rwxr-xr-x',
        Encrypted: '-',
        Method: 'LZMA2:25',
      }),
      entry({ Path: 'link', Size: '5', Attributes: 'A lrwxrwxrwx' }),
      entry({ Path: 'device', Size: '0', Attributes: 'A crw-rw-rw-' }),
      entry({ Path: 'windows', Size: '0', Attributes: 'D' }),
      entry({ Path: 'windows/file = x', Size: '3', Attributes: 'RHSA' }),
    ].join('')
    for (const size of [1, 7, 10_000]) {
      expect(await list(text, size)).toEqual([
        { name: 'dir', size: 0, kind: 'folder', mode: 0o750, mtimeMs: Date.UTC(2026, 10, 27, 4, 19, 44) },
        { name: 'dir/ő.sh', size: 12, kind: 'file', mode: 0o755 },
        { name: 'link', size: 5, kind: 'link', mode: 0o777 },
        { name: 'device', size: 0, kind: 'special', mode: 0o666 },
        { name: 'windows', size: 0, kind: 'folder' },
        { name: 'windows/file = x', size: 3, kind: 'file' },
      ])
    }
  })

  it.each([
    ['with a password', { Encrypted: '+' }, 'ARCHIVE_ENCRYPTED'],
    ['with a dictionary of 1 GiB', { Method: 'LZMA2:30' }, 'ARCHIVE_DAMAGED'],
    ['with one of 1536 MiB', { Method: 'BCJ LZMA2:1536m' }, 'ARCHIVE_DAMAGED'],
    ['with the memory of 1 GiB', { Method: 'PPMD:o32:mem30' }, 'ARCHIVE_DAMAGED'],
  ])('%s is refused', async (_what, fields, code) => {
    await expect(list(entry({ Path: 'a', Size: '1', Attributes: 'A', ...fields }))).rejects.toMatchObject({ code })
  })

  it('with what ultra compression uses is read', async () => {
    expect(await list(entry({ Path: 'a', Size: '1', Attributes: 'A', Method: 'LZMA2:26 BCJ' }))).toHaveLength(1)
  })
})
