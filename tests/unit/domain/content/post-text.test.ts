import { describe, expect, it } from 'vitest'
import { nodesOf, picturesIn, plainTextOf, sectionsOf, wordsOf } from '#domain/content/post-text.ts'
import { readingMinutes } from '#domain/content/reading-time.ts'
import { postText } from '../../../../src/cms/seed/content/rich-text.ts'

const body = postText([
  { text: 'Before.' },
  { heading: 'First [part](/a)' },
  { text: 'One [link](/b) more.' },
  { list: ['red', 'blue'] },
  { heading: 'Second' },
  { code: 'a=1', title: 'x.cfg' },
  {
    table: [
      ['h1', 'h2'],
      ['c1', 'c2'],
    ],
  },
])

describe('the sections of a post', () => {
  it('begin at headings, and the text before the first has none', () => {
    const { opening, sections } = sectionsOf(body)
    expect(opening.map(plainTextOf)).toEqual(['Before.'])
    expect(sections.map(({ title, nodes }) => [title, nodes.length])).toEqual([
      ['First [part](/a)', 2],
      ['Second', 2],
    ])
  })

  it('have no heading of the third level, and none without a word', () => {
    const heading = (tag: string, text: string) => ({ type: 'heading', tag, children: [{ type: 'text', text }] })
    const odd = { root: { children: [heading('h2', '  '), heading('h3', 'Small'), heading('h2', 'Big')] } }
    expect(sectionsOf(odd).sections.map(({ title }) => title)).toEqual(['Big'])
  })

  it.each([null, undefined, 'text', {}, { root: null }, { root: { children: [null, 3] } }])('of %j are none', (odd) => {
    expect(nodesOf(odd)).toEqual([])
    expect(sectionsOf(odd)).toEqual({ opening: [], sections: [] })
  })
})

describe('the words of a post', () => {
  it('are those of links, lists, code and tables, and never run together', () => {
    const text = (word: string) => ({ type: 'text', text: word })
    const broken = [text('one'), { type: 'linebreak' }, text('two'), { type: 'tab', text: '\t' }, text('three')]
    expect(wordsOf({ root: { children: [{ type: 'paragraph', children: broken }] } })).toBe('one two three')
    expect(wordsOf(body)).toBe('Before. First [part](/a) One link more. red blue Second x.cfg  a=1 h1 h2 c1 c2')
  })

  it.each([
    ['', 1],
    [Array(299).fill('word').join(' '), 1],
    [Array(300).fill('szó').join(' '), 2],
    [Array(1_000).fill("don't").join(' '), 5],
  ])('take their time to read', (text, minutes) => {
    expect(readingMinutes(text)).toBe(minutes)
  })
})

it('the pictures of a post are found at any depth, each once', () => {
  const upload = (value: unknown) => ({ type: 'upload', value })
  const nested = {
    root: { children: [upload('a'), { type: 'list', children: [upload('b'), upload('a')] }, upload(3)] },
  }
  expect(picturesIn(nested)).toEqual(['a', 'b'])
})
