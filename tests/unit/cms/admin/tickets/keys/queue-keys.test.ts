import { expect, it } from 'vitest'
import { inPlaceOf, queueAct, stepTo } from '../../../../../../src/cms/admin/tickets/keys/queue-keys.ts'

const pressed = (key: string, held: object = {}) =>
  queueAct({ key, ctrlKey: false, altKey: false, metaKey: false, ...held })

it.each([
  ['j', 'next'],
  ['ArrowDown', 'next'],
  ['k', 'previous'],
  ['ArrowUp', 'previous'],
  ['a', 'take'],
  ['e', 'end'],
  ['r', 'reply'],
  ['m', 'saved reply'],
  ['/', 'find'],
  ['?', 'keys'],
  ['Enter', undefined],
  ['Tab', undefined],
  ['x', undefined],
  ['constructor', undefined],
])('the key %s means %s', (key, act) => {
  expect(pressed(key)).toBe(act)
})

it.each(['ctrlKey', 'altKey', 'metaKey'])('with %s a key keeps the meaning that the browser gives it', (held) => {
  expect(pressed('a', { [held]: true })).toBeUndefined()
})

it('a step reaches the next row, and the ends hold', () => {
  const ids = ['one', 'two', 'three']
  expect([stepTo(ids, 'one', 'next'), stepTo(ids, 'three', 'next')]).toEqual(['two', 'three'])
  expect([stepTo(ids, 'three', 'previous'), stepTo(ids, 'one', 'previous')]).toEqual(['two', 'one'])
  expect([stepTo(ids, 'gone', 'next'), stepTo(ids, undefined, 'next'), stepTo([], 'one', 'next')]).toEqual([
    'one',
    'one',
    undefined,
  ])
})

it('another row comes in the place of one that left', () => {
  expect([inPlaceOf(['one', 'two'], 1), inPlaceOf(['one', 'two'], 5), inPlaceOf([], 0)]).toEqual([
    'two',
    'two',
    undefined,
  ])
})
