import { expect, test } from 'vitest'
import { ATTACHMENT_BOUNDS } from '../../../../src/domain/tickets/attachment.ts'
import { judgeFile } from '../../../../src/lib/attachments/judge-file.ts'
import { bombPng, GIF, SVG } from '../../../support/hostile-pictures.ts'

const file = (...parts: BlobPart[]) => new Blob(parts)

test.each([
  ['a picture', new Uint8Array(bombPng(2, 2)), { kind: 'picture' }],
  ['a log', 'Done (3.1s)!', { kind: 'text' }],
  ['a drawing with a script, which is only saved', new Uint8Array(SVG), { kind: 'text' }],
  ['a zip', 'PK\u0003\u0004rest', { kind: 'archive' }],
  ['a moving picture', new Uint8Array(GIF), { fault: 'kind' }],
  ['a program', 'MZ\0\0', { fault: 'kind' }],
  ['nothing', '', { fault: 'empty' }],
])('%s', async (_name, bytes, judged) => {
  expect(await judgeFile(file(bytes))).toEqual(judged)
})

test('the largest file that may be sent, and one byte more', async () => {
  const bytes = 'x'.repeat(ATTACHMENT_BOUNDS.bytes)
  expect(await judgeFile(file(bytes))).toEqual({ kind: 'text' })
  expect(await judgeFile(file(bytes, 'x'))).toEqual({ fault: 'too large' })
})

test('a folder, which no browser can read', async () => {
  const folder = Object.assign(file('?'), { arrayBuffer: () => Promise.reject(new DOMException('', 'NotFoundError')) })
  expect(await judgeFile(folder)).toEqual({ fault: 'unreadable' })
})
