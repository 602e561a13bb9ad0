import { expect, test } from 'vitest'
import { clampQuery } from '../../../../src/cms/queries/clamp-query.ts'

test.each([
  ['10', 2],
  ['99', 2],
  ['1e9', 2],
  ['2', 2],
  ['0', 0],
  ['-1', 0],
  ['x', 1],
  [undefined, 1],
])('a depth of %s is %i: a query over HTTP goes two levels deep at most (case 31)', (depth, levels) => {
  for (const isReading of [true, false]) expect(clampQuery({ depth }, isReading)).toMatchObject({ depth: levels })
})

test.each([
  ['0', 100],
  ['100000', 100],
  ['-5', 1],
  ['20', 20],
  [undefined, 10],
])('a limit of %s is %i rows, also of what is joined, and nothing turns the pages off (case 31)', (limit, rows) => {
  const asked = { limit, pagination: 'false', joins: { packages: { limit } } }
  expect(clampQuery(asked, true)).toMatchObject({
    limit: rows,
    pagination: 'true',
    joins: { packages: { limit: rows, page: 1 } },
  })
})
