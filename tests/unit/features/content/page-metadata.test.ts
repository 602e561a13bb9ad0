import { describe, expect, it } from 'vitest'
import { pageMetadata } from '../../../../src/features/content/page-metadata.ts'

const page = { locale: 'hu' as const, path: '/blog/a', title: 'A', description: 'B' }

describe('the metadata of a page', () => {
  it('tells the times of an article, and of no other page', () => {
    const article = { publishedTime: '2026-11-18T08:00:00.000Z', modifiedTime: '2026-11-19T08:00:00.000Z' }
    expect(pageMetadata({ ...page, article }).openGraph).toMatchObject({ type: 'article', ...article })
    expect(pageMetadata(page).openGraph).toMatchObject({ type: 'website' })
    expect(pageMetadata(page).openGraph).not.toHaveProperty('publishedTime')
  })

  it('names the languages in which the page exists alone', () => {
    const { alternates, openGraph } = pageMetadata({ ...page, languages: { hu: '/blog/a', de: '/blog/b' } })
    expect(Object.keys(alternates?.languages ?? {}).toSorted()).toEqual(['de', 'hu'])
    expect(String(alternates?.languages?.['de' as never])).toContain('/de/blog/b')
    expect(openGraph).toMatchObject({ alternateLocale: ['de'] })
  })
})
