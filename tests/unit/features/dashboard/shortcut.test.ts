import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { isAltWith, isWriting } from '../../../../src/features/dashboard/shortcut.ts'
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

class Element {
  readonly tag: string
  readonly isContentEditable: boolean

  constructor(tag: string, isContentEditable = false) {
    this.tag = tag
    this.isContentEditable = isContentEditable
  }

  matches(selector: string): boolean {
    return selector.split(', ').includes(this.tag)
  }
}

describe('what is being written', () => {
  beforeAll(() => void vi.stubGlobal('HTMLElement', Element))
  afterAll(() => void vi.unstubAllGlobals())

  const at = (element: Element | null) => isWriting(element as unknown as EventTarget | null)

  test.each(['input', 'textarea', 'select'])('no shortcut takes a key from an %s', (tag) => {
    expect(at(new Element(tag))).toBe(true)
  })

  test('no shortcut takes a key from an editor', () => {
    expect(at(new Element('div', true))).toBe(true)
  })

  test.each(['button', 'a', 'body'])('a shortcut works on a %s, and where nothing is', (tag) => {
    expect([at(new Element(tag)), at(null)]).toEqual([false, false])
  })
})
