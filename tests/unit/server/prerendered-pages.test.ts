import { expect, test } from 'vitest'
import { prerenderedPages } from '../../../src/server/prerendered-pages.ts'

test('The manifest yields the pages with a language, without files, feeds and error pages', () => {
  const routes = {
    '/_not-found': {},
    '/icon.svg': {},
    '/hu': {},
    '/en/blog': {},
    '/en/blog/feed.xml': {},
    '/en/blog/feed.json': {},
    '/de/dashboard/summary': {},
    '/fr': {},
  }
  expect([...prerenderedPages(JSON.stringify({ version: 4, routes }))]).toEqual([
    '/hu',
    '/en/blog',
    '/de/dashboard/summary',
  ])
})

test('A manifest of another shape is rejected', () => {
  expect(() => prerenderedPages('{}')).toThrow('routes')
})
