import fc from 'fast-check'
import { expect, it } from 'vitest'

import { partsOfPath } from '#contracts/panel/file-path.ts'
import { byteHeader, checksumOf, metadataHeader, uploadMetadata } from '../../../../agents/http/upload-headers.ts'

const codeOf = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    return (error as { code?: unknown }).code
  }
}

it('the metadata of a path and kind are read as they were written, whatever the letters', () => {
  const path = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => partsOfPath(text) !== undefined)
  fc.assert(
    fc.property(path, fc.constantFrom('new' as const, 'any' as const), (name, replaces) => {
      expect(uploadMetadata(metadataHeader({ path: name, replaces }))).toMatchObject({ path: name, replaces })
    }),
  )
})

it('metadata that a stranger made up are read or refused, and never anything else', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (header) => {
      const read = codeOf(() => uploadMetadata(header))
      expect(['INVALID_REQUEST', 'INVALID_PATH'].includes(String(read)) || typeof read === 'object').toBe(true)
    }),
  )
})

it.each<[string | undefined, unknown]>([
  ['path YQ==', { path: 'a', replaces: 'new', name: 'a' }],
  ['path bWFwcy9h', { path: 'maps/a', replaces: 'new', name: 'a' }],
  ['path YQ==,filename Yg==,filetype', { path: 'a', replaces: 'new', name: 'b' }],
  ['path YQ==, replaces YW55', { path: 'a', replaces: 'any', name: 'a' }],
  [undefined, 'INVALID_REQUEST'],
  ['', 'INVALID_REQUEST'],
  ['path', 'INVALID_PATH'],
  ['path YQ== YQ==', 'INVALID_REQUEST'],
  ['path YQ', 'INVALID_REQUEST'],
  ['path Li4vYQ==', 'INVALID_PATH'],
])('the metadata %j', (header, expected) => {
  expect(codeOf(() => uploadMetadata(header))).toEqual(expected)
})

it.each<[string | undefined, unknown]>([
  ['0', 0],
  ['17', 17],
  ['999999999999999', 999_999_999_999_999],
  ['9999999999999999', 'INVALID_REQUEST'],
  ['-1', 'INVALID_REQUEST'],
  ['1e3', 'INVALID_REQUEST'],
  ['', 'INVALID_REQUEST'],
  [undefined, 'INVALID_REQUEST'],
])('%j bytes', (header, expected) => {
  expect(codeOf(() => byteHeader(header))).toEqual(expected)
})

const SHA1 = 'Kq5sNclPz7QV2+lfQIuc6R7oRu0='
it.each<[string | undefined, unknown]>([
  [undefined, undefined],
  [`sha1 ${SHA1}`, { algorithm: 'sha1', digest: SHA1 }],
  [`sha256 ${SHA1}`, 'INVALID_REQUEST'],
  [`md5 ${SHA1}`, 'INVALID_REQUEST'],
  [`sha1 ${SHA1} more`, 'INVALID_REQUEST'],
  [`sha1`, 'INVALID_REQUEST'],
])('the checksum %j', (header, expected) => {
  expect(codeOf(() => checksumOf(header === undefined ? {} : { 'upload-checksum': header }))).toEqual(expected)
})
