import { gzipSync } from 'node:zlib'

import type { APIRequestContext } from '@playwright/test'

import { expect, test } from './test.ts'

const KB = 1_000

/** Gzipped size of every script that the page's HTML asks for, in bytes. */
async function firstLoad(request: APIRequestContext, path: string): Promise<number> {
  const page = await request.get(path, { maxRedirects: 0 })
  expect(page.status(), path).toBe(200)
  const html = await page.text()
  const sources = [...html.matchAll(/<script\b[^>]*>/g)]
    .map(([tag]) => tag)
    // Old browsers alone load what is marked so.
    .filter((tag) => !/\bnomodule\b/i.test(tag))
    .flatMap((tag) => /\bsrc="([^"]+)"/.exec(tag)?.[1] ?? [])
  expect(sources.length, path).toBeGreaterThan(0)
  const sizes = await Promise.all(
    [...new Set(sources)].map(
      async (source) => gzipSync(await (await request.get(source.replaceAll('&amp;', '&'))).body()).length,
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

const budgets = [
  { path: '/en', limit: 190 * KB },
  { path: '/hu/blog', limit: 190 * KB },
  { path: '/en/auth/login', limit: 190 * KB },
  { path: '/en/auth/register', limit: 190 * KB },
]
for (const { path, limit } of budgets) {
  test(`${path} loads at most ${limit / KB} KB of JavaScript`, async ({ request }) => {
    const size = await firstLoad(request, path)
    test.info().annotations.push({ type: 'gzip', description: `${size} bytes` })
    expect(size).toBeLessThanOrEqual(limit)
  })
}

const signedIn = [
  { path: '/dashboard/summary', limit: 260 * KB },
  { path: '/dashboard/balance/summary', limit: 260 * KB },
  { path: '/dashboard/services/game', limit: 260 * KB },
  { path: '/panel/01890000-0000-7000-8000-000000000000/console', limit: 285 * KB },
]
for (const { path, limit } of signedIn) {
  test(`${path} loads at most ${limit / KB} KB of JavaScript`, async ({ demo, request }) => {
    const login = await request.post('/api/auth/login', { data: demo.customer, headers: { origin: demo.url } })
    expect(login.status()).toBe(200)
    const size = await firstLoad(request, path)
    test.info().annotations.push({ type: 'gzip', description: `${size} bytes` })
    expect(size).toBeLessThanOrEqual(limit)
  })
}
