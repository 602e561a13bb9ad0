import { expect, test } from 'vitest'
import { drawingOf } from '../../../../src/lib/pictures/picture.tsx'

test.each([
  ['/pictures/banners/minecraft.svg', 'minecraft'],
  ['/api/cms/media/file/minecraft.svg', undefined],
  ['https://elsewhere.example/pictures/banners/minecraft.svg', undefined],
  [null, undefined],
])('%s is the drawing %s', (path, name) => {
  expect(drawingOf(path)).toBe(name)
})
