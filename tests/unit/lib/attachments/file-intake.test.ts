import { expect, test } from 'vitest'
import { pastedFiles } from '../../../../src/lib/attachments/file-intake.ts'

const shot = new File(['x'], 'image.png')
const pasted = (types: string[], files: File[]) => pastedFiles({ types, files: files as unknown as FileList })

test.each([
  ['a screenshot', ['Files'], [shot], [shot]],
  ['a picture of a page, with its markup', ['text/html', 'Files'], [shot], [shot]],
  ['a copied file, with its name', ['text/plain', 'Files'], [shot], [shot]],
  ['cells of a table, with a picture of them', ['text/plain', 'text/html', 'Files'], [shot], []],
  ['a text', ['text/plain'], [], []],
])('%s', (_name, types, files, taken) => {
  expect(pasted(types, files)).toEqual(taken)
})
