import { describe, expect, it } from 'vitest'
import { isReadTooEarly, monthsOf, publicationDate, wasUpdated } from '#domain/content/posts.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const day = (of: number) => `2026-11-${of}T08:00:00.000Z`

describe('the date of a post', () => {
  it.each([
    [
      'is the moment of its first publication',
      { given: null, before: null, isPublished: true },
      '2026-11-20T12:00:00.000Z',
    ],
    ['stays when it is published again', { given: null, before: day(10), isPublished: true }, day(10)],
    ['stays when it is a draft again', { given: null, before: day(10), isPublished: false }, day(10)],
    ['is the one that an editor writes', { given: day(11), before: day(10), isPublished: false }, day(11)],
    ['is none before the publication', { given: null, before: null, isPublished: false }, null],
  ])('%s', (_how, dating, date) => {
    expect(publicationDate(dating, NOW)).toBe(date)
  })

  it('is too early for readers only in the future, and only once the post is published', () => {
    const at = (ms: number, isPublished = true) => isReadTooEarly({ date: new Date(ms), isPublished }, NOW)
    expect([at(NOW + 1), at(NOW), at(NOW + 1, false)]).toEqual([true, false, false])
    expect(isReadTooEarly({ date: null, isPublished: true }, NOW)).toBe(false)
  })
})

describe('the posts of a page', () => {
  it('stand in their months by the clock of the site', () => {
    const posts = [
      { id: 'c', publishedAt: '2026-11-30T23:30:00.000Z' },
      { id: 'b', publishedAt: '2026-11-30T22:30:00.000Z' },
      { id: 'a', publishedAt: '2026-10-31T23:30:00.000Z' },
    ]
    expect(monthsOf(posts, 'Europe/Budapest').map(({ month, posts: of }) => [month, of.map(({ id }) => id)])).toEqual([
      ['2026-12', ['c']],
      ['2026-11', ['b', 'a']],
    ])
  })

  it('tell of a change that is more than a day after the publication', () => {
    const published = new Date('2026-11-18T08:00:00.000Z')
    const at = (updated: string, created = published) =>
      wasUpdated({ published_at: published, created_at: created, updated_at: new Date(updated) })
    expect([at('2026-11-19T08:00:00.000Z'), at('2026-11-19T08:00:00.001Z')]).toEqual([false, true])
    // An editor has written an earlier date.
    expect(at('2026-11-30T08:00:00.000Z', new Date('2026-11-30T07:00:00.000Z'))).toBe(false)
  })
})
