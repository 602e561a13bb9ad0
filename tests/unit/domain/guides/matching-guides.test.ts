import { expect, test } from 'vitest'
import { matchingGuides, SHOWN_GUIDES } from '#domain/guides/matching-guides.ts'

const guide = (name: string, named: number[], written: number[] = []) => ({ name, named, written })
const others = (count: number) => Array.from({ length: count }, (_, at) => guide(`other ${at}`, []))
const shown = (guides: ReturnType<typeof guide>[]) => matchingGuides(guides).map(({ name }) => name)

test('a telling word in a title shows its guide, one in a text does not', () => {
  expect(shown([guide('title', [1]), ...others(5)])).toEqual(['title'])
  expect(shown([guide('text', [], [1]), ...others(5)])).toEqual([])
})

test('two telling words in a text show their guide', () => {
  expect(shown([guide('text', [], [1, 2]), ...others(5)])).toEqual(['text'])
})

test('a word that more than a third of the guides contain says nothing', () => {
  expect(shown([guide('a', [1]), guide('b', [1]), guide('c', [], [1]), ...others(3)])).toEqual([])
  expect(shown([guide('a', [1]), guide('b', [], [1]), ...others(4)])).toEqual(['a'])
})

test('a common word still decides between two guides with the same telling word', () => {
  const common = ['c', 'd', 'e'].map((name) => guide(name, [], [2]))
  expect(shown([guide('one', [1]), guide('both', [1], [2]), ...common, ...others(2)])).toEqual(['both', 'one'])
})

test('a rare word counts more than a frequent one', () => {
  const guides = [guide('frequent', [1]), guide('rare', [2]), guide('c', [], [1]), ...others(6)]
  expect(shown(guides)).toEqual(['rare', 'frequent'])
})

test('a guide that matches far worse than the best one is left out', () => {
  expect(shown([guide('best', [1, 2, 3]), guide('far', [4]), ...others(6)])).toEqual(['best'])
})

test('at most three are shown, those of equal weight in their own order', () => {
  const alike = ['a', 'b', 'c', 'd'].map((name, at) => guide(name, [at]))
  expect(shown([...alike, ...others(4)])).toEqual(['a', 'b', 'c'])
  expect(SHOWN_GUIDES).toBe(3)
})

test('no guides and no words find nothing', () => {
  expect([shown([]), shown(others(3))]).toEqual([[], []])
})
