import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { isWriting } from '../../../../src/features/dashboard/shortcut.ts'

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
