import { describe, expect, it } from 'vitest'
import { inLanguage, withRowIds } from '../../../../src/cms/seed/localized-data.ts'

const text = { en: 'one', hu: 'egy', de: 'eins' }

describe('inLanguage', () => {
  it('takes the one language of every leaf and leaves the rest', () => {
    const data = { title: text, rows: [{ name: text, price: 990 }], nothing: null, list: ['a'] }
    expect(inLanguage(data, 'hu')).toEqual({
      title: 'egy',
      rows: [{ name: 'egy', price: 990 }],
      nothing: null,
      list: ['a'],
    })
  })

  it('leaves data whose keys are not exactly the languages', () => {
    expect(inLanguage({ en: 'one', hu: 'egy' }, 'hu')).toEqual({ en: 'one', hu: 'egy' })
  })
})

describe('withRowIds', () => {
  it('gives rows the ids they are stored under, also inside rows and groups', () => {
    const data = { group: { rows: [{ name: 'eins', inner: [{ value: 'x' }] }] } }
    const stored = { id: 'd', group: { rows: [{ id: 'r', name: 'egy', inner: [{ id: 'i', value: 'x' }] }] } }
    expect(withRowIds(data, stored)).toEqual({
      id: 'd',
      group: { rows: [{ id: 'r', name: 'eins', inner: [{ id: 'i', value: 'x' }] }] },
    })
  })

  it('leaves rich text alone: its list holds no rows', () => {
    const body = { root: { children: [{ text: 'eins' }] } }
    expect(withRowIds({ body }, { body: { root: { children: [{ id: 'no' }] } } })).toEqual({ body })
  })
})
