// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { FLOOR, menuFloor } from '../../../../src/ui/surfaces/menu-floor.ts'

afterEach(() => document.body.replaceChildren())

/** A bar with the mark, at a place of the window. */
const addBar = ({ top, height }: { top: number; height: number }) => {
  const bar = document.createElement('nav')
  for (const [name, value] of Object.entries(FLOOR)) bar.setAttribute(name, value)
  vi.spyOn(bar, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, top, 390, height))
  document.body.append(bar)
}

test('a menu ends above the bar at the lower edge', () => {
  addBar({ top: window.innerHeight - 56, height: 56 })
  expect(menuFloor()).toBe(window.innerHeight - 56)
})

test('without a bar it ends at the lower edge of the window', () => {
  expect(menuFloor()).toBe(window.innerHeight)
})

test('a bar that a wide window hides is no floor', () => {
  addBar({ top: 0, height: 0 })
  expect(menuFloor()).toBe(window.innerHeight)
})
