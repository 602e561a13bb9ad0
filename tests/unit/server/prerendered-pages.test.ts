import { expect, test } from 'vitest'
import { prerenderedPages } from '../../../src/server/prerendered-pages.ts'

test('Pages with a language are taken from the manifest, files and error pages are not', () => {
  const routes = {
    '/_not-found': {},
    '/icon.svg': {},
    '/hu': {},
    '/en/blog': {},
    '/de/dashboard/summary': {},
    '/fr': {},
  }
  expect([...prerenderedPages(JSON.stringify({ version: 4, routes }))]).toEqual([
    ...['/hu', '/en/blog', '/de/dashboard/summary'],
  ])
})

test('A manifest of another form is refused', () => {
  expect(() => prerenderedPages('{}')).toThrow('routes')
})
