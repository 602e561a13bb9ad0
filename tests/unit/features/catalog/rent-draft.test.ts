import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { firstChoice } from '../../../../src/features/catalog/rent-choice.ts'
import { forgetChoice, keepChoice, restoredChoice } from '../../../../src/features/catalog/rent-draft.ts'
import { services } from '../../../support/fake-site/fixtures.ts'

const storage = () => {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

beforeEach(() => void vi.stubGlobal('sessionStorage', storage()))
afterEach(() => void vi.unstubAllGlobals())

const [minecraft] = services
if (!minecraft) throw new Error('No fixture')
const [small = '', medium = ''] = minecraft.packages.map(({ id }) => id)
const first = firstChoice(minecraft, small)
const typed = { ...first, size: medium, months: 3, name: 'Őszi kaland' }

test('the choices and the typed text are there after a top-up', () => {
  expect(restoredChoice(minecraft, small, first)).toEqual(first)
  keepChoice(minecraft, small, typed)
  expect(restoredChoice(minecraft, small, first)).toEqual(typed)
  forgetChoice(minecraft)
  expect(restoredChoice(minecraft, small, first)).toEqual(first)
})

test('another size that was clicked since wins, and the name stays', () => {
  keepChoice(minecraft, small, typed)
  const clicked = firstChoice(minecraft, medium)
  expect(restoredChoice(minecraft, medium, { ...clicked, months: 1 })).toEqual({
    ...clicked,
    months: 3,
    name: typed.name,
  })
})

test('a size that is offered no more is not restored', () => {
  keepChoice(minecraft, small, typed)
  const packages = minecraft.packages.filter(({ id }) => id !== medium)
  expect(restoredChoice({ ...minecraft, packages }, small, first).size).toBe(small)
  keepChoice(minecraft, small, { ...typed, size: 'custom' })
  expect(restoredChoice({ ...minecraft, resources: null }, small, first).size).toBe(small)
})

test('storage with something else in it, or none, changes nothing', () => {
  sessionStorage.setItem(`bakter:rent:${minecraft.id}`, '{"choice":{"months":9}}')
  expect(restoredChoice(minecraft, small, first)).toEqual(first)
  vi.stubGlobal('sessionStorage', undefined)
  keepChoice(minecraft, small, typed)
  expect(restoredChoice(minecraft, small, first)).toEqual(first)
})
