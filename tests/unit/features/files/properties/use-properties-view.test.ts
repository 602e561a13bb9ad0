import { expect, it } from 'vitest'
import { isReadAtStart, refusedChanges } from '../../../../../src/features/files/properties/use-properties-view.ts'

it.each([
  ['view-distance=99', 'view-distance=10', ['view-distance']],
  ['view-distance=99', 'view-distance=99', []],
  ['view-distance=12', 'view-distance=10', []],
  ['view-distance=12\npvp=maybe', '', ['pvp']],
  ['plugin=99', '', []],
])('%j over %j holds back %j', (text, saved, keys) => {
  expect(refusedChanges(text, saved)).toEqual(keys)
})

it('is read at start where the server looks for it', () => {
  expect(['server.properties', 'old/server.properties'].map(isReadAtStart)).toEqual([true, false])
})
