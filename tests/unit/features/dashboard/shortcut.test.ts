import { expect, test } from 'vitest'
import { isAltWith } from '../../../../src/features/dashboard/shortcut.ts'
import type { PressedKey } from '../../../../src/features/dashboard/shortcut.ts'

const press = (held: Partial<PressedKey> & { altGraph?: boolean } = {}): PressedKey => ({
  code: 'KeyQ',
  altKey: true,
  ctrlKey: false,
  metaKey: false,
  getModifierState: (name) => name === 'AltGraph' && held.altGraph === true,
  ...held,
})

test('Alt and the key alone is the shortcut, whatever letter the layout has there', () => {
  expect(isAltWith(press(), 'KeyQ')).toBe(true)
})

test.each([
  ['another key', { code: 'KeyW' }],
  ['no Alt', { altKey: false }],
  ['Ctrl, which Windows adds to AltGr', { ctrlKey: true }],
  ['Meta', { metaKey: true }],
  ['AltGraph', { altGraph: true }],
])('%s is not', (_name, held) => {
  expect(isAltWith(press(held), 'KeyQ')).toBe(false)
})
