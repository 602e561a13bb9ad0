import { expect, test } from 'vitest'
import { hasUnchanged, keepableMs, keptPage } from '../../../src/server/kept-page.ts'
import type { FinishedPage } from '../../../src/server/kept-page.ts'

const page: FinishedPage = {
  status: 200,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-encoding': 'br',
    'content-security-policy': "default-src 'none'",
    'cache-control': 'public, max-age=0',
    'x-nextjs-cache': 'HIT',
    'x-request-id': 'of the one who asked first',
    etag: 'W/"one-mark"',
    vary: 'Accept-Encoding',
    'x-list': ['one', 'two'],
  },
  body: Buffer.from('<!DOCTYPE html>'),
  cacheControl: 's-maxage=3600, stale-while-revalidate=31532400',
  mark: 'mark',
}
const withHeader = (name: string, value: string | undefined): FinishedPage => ({
  ...page,
  headers: { ...page.headers, [name]: value },
})

test('A page is kept for a minute at most, and no longer than Next would keep it', () => {
  expect(keepableMs(page)).toBe(60_000)
  expect(keepableMs({ ...page, cacheControl: 's-maxage=1, stale-while-revalidate=31535999' })).toBe(1_000)
})

test.each<[string, FinishedPage]>([
  ['that is not found', { ...page, status: 404 }],
  ['that failed', { ...page, status: 500 }],
  ['that is rendered per request', { ...page, cacheControl: 'private, no-cache, no-store, max-age=0' }],
  ['that is private, although it may be shared', { ...page, cacheControl: 'private, s-maxage=60' }],
  ['that may not be stored, although it may be shared', { ...page, cacheControl: 'no-store, s-maxage=60' }],
  ['about which Next says nothing', { ...page, cacheControl: '' }],
  ['that Next is about to render again', withHeader('x-nextjs-cache', 'STALE')],
  ['that did not come through the cache of Next', withHeader('x-nextjs-cache', undefined)],
  ['that sets a cookie', withHeader('set-cookie', 'a=b')],
  ['that is no HTML', withHeader('content-type', 'text/x-component')],
  ['without an ETag', withHeader('etag', undefined)],
])('A page %s is not kept', (_name, answer) => {
  expect(keepableMs(answer)).toBe(0)
})

test('The headers of a kept page contain its length and nothing of the request that rendered it', () => {
  const { headers } = keptPage(page, 0)
  const names = headers.filter((_text, at) => at % 2 === 0)
  expect(names).toEqual([
    'content-type',
    'content-encoding',
    'content-security-policy',
    'cache-control',
    'etag',
    'vary',
    'x-list',
    'x-list',
    'content-length',
  ])
  expect(headers.at(-1)).toBe('15')
})

test('The headers of 304 describe no body and contain no policy', () => {
  const { unchangedHeaders } = keptPage(page, 0)
  const names = unchangedHeaders.filter((_text, at) => at % 2 === 0)
  expect(names).toEqual(['cache-control', 'etag', 'vary', 'x-list', 'x-list'])
})

test('The size of a kept page counts its body and both sets of headers', () => {
  const small = keptPage(page, 0)
  const long = keptPage({ ...withHeader('x-long', 'x'.repeat(500)), body: Buffer.alloc(5_000) }, 0)
  expect(long.sizeBytes - small.sizeBytes).toBe(5_000 - 15 + 2 * ('x-long'.length + 500) + 2)
})

test.each([
  ['"one-mark"', true],
  ['W/"one-mark"', true],
  ['"zero", W/"one-mark" , "two"', true],
  ['*', true],
  ['"one"', false],
  ['"one-other"', false],
  ['one-mark', false],
  ['', false],
  [undefined, false],
])('If-None-Match %s matches the page: %s', (header, isUnchanged) => {
  expect(hasUnchanged(keptPage(page, 0), header)).toBe(isUnchanged)
})
