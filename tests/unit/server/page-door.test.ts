import { expect, test } from 'vitest'
import { keptPath } from '../../../src/server/page-door.ts'
import { routeRequest } from '../../../src/server/page-routing.ts'

const prerendered = new Set(['/hu', '/hu/blog', '/hu/dashboard/summary', '/hu/panel'])

const pathOf = (target: string, headers: Record<string, string> = {}, method = 'GET') => {
  const routing = routeRequest({ target, localeCookie: 'hu', acceptLanguage: undefined, hasSession: true })
  if (routing.kind !== 'page') throw new Error(`${target} is no page.`)
  return keptPath({ method, headers }, routing, prerendered)
}

test.each([
  ['/hu', '/hu'],
  ['/', '/hu'],
  ['/blog', '/hu/blog'],
  ['/dashboard/summary', '/hu/dashboard/summary'],
  ['/panel/0190-abc/console', '/hu/panel'],
  ['/hu/panel/0190-abc/settings', '/hu/panel'],
])('The page at %s is kept as %s', (target, path) => {
  expect(pathOf(target)).toBe(path)
  expect(pathOf(target, {}, 'HEAD')).toBe(path)
})

test.each([
  ['with a query', '/hu?x=1', {}],
  ['with the mark of the router', '/hu?_rsc=1', {}],
  ['that the build has not made', '/hu/nothing', {}],
  ['whose address is written otherwise', '/hu/%62log', {}],
  ['with a slash at its end', '/hu/blog/', {}],
  ['of a panel that does not exist', '/hu/panel/0190-abc/nonsense', {}],
  ['below a page of a panel', '/hu/panel/0190-abc/console/nonsense', {}],
  ['as data for the router', '/hu', { rsc: '1' }],
  ['as a part that the router fetches beforehand', '/hu', { 'next-router-prefetch': '1' }],
  ['under a header of the framework that is not known yet', '/hu', { 'next-something-new': '1' }],
  ['for a preview', '/hu', { cookie: 'a=b; __prerender_bypass=x' }],
  ['with the data of a preview', '/hu', { cookie: '__next_preview_data=x' }],
])('A page %s is left to Next', (_name, target, headers) => {
  expect(pathOf(target, headers)).toBeNull()
})

test('A cookie whose name only ends like a preview cookie has no effect', () => {
  expect(pathOf('/hu', { cookie: 'my__prerender_bypass=x' })).toBe('/hu')
})

test.each(['POST', 'PUT', 'DELETE'])('%s is not served from memory', (method) => {
  expect(pathOf('/hu', {}, method)).toBeNull()
})
