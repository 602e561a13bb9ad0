import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { INTERNAL_CALLS } from '#contracts/internal-api/calls.ts'
import { API_ROUTES } from '#contracts/routes/routes.ts'
import type { ApiRoute } from '#contracts/routes/routes.ts'

const ROWS = Object.entries(API_ROUTES) as [string, ApiRoute][]

test('Next serves nothing below /api but the CMS and the word that content changed', () => {
  const routes = readdirSync('src/app', { recursive: true, encoding: 'utf8' }).filter(
    (path) => /(^|\/)api\//.test(path) && /route\.tsx?$/.test(path),
  )
  expect(routes.toSorted()).toEqual(['(payload)/api/cms/[...slug]/route.ts', 'api/internal/revalidate/route.ts'])
})

test('a row that is passed on answers what its call answers, so that the answer is parsed once', () => {
  const passed = ROWS.filter(([, { call }]) => call !== undefined)
  expect(passed.length).toBeGreaterThanOrEqual(50)
  const parsedTwice = passed.filter(
    ([, row]) => row.call !== undefined && INTERNAL_CALLS[row.call].output !== row.output,
  )
  expect(parsedTwice.map(([name]) => name)).toEqual([])
})

test('a row names an id for its call exactly when its path has one', () => {
  const passed = ROWS.filter(([, { call }]) => call !== undefined)
  expect(passed.filter(([name, row]) => name.includes('{id}') !== (row.idAs !== undefined))).toEqual([])
})
