import fc from 'fast-check'
import { expect, it } from 'vitest'
import { afterPage, startRun, type DueRun } from '#domain/billing/due-run.ts'

type Row = { id: string; dueAtMs: number; isSuspended: boolean }
const NOW = 1000

/** The work of the store in a run: the page of its rows in order. */
const pageOf = (rows: readonly Row[], { afterId = '', dueUntilMs, limit }: DueRun): Row[] =>
  rows.filter((row) => !row.isSuspended && row.dueAtMs <= dueUntilMs && row.id > afterId).slice(0, limit)

function visitAll(rows: Row[], limit: number, act: (row: Row) => void): string[] {
  const visited: string[] = []
  for (let run = startRun(NOW, limit); !run.isDone;) {
    const page = pageOf(rows, run)
    if (visited.length > 2 * rows.length) throw new Error('the run goes over its rows again')
    for (const row of page) {
      visited.push(row.id)
      act(row)
    }
    run = afterPage(
      run,
      page.map(({ id }) => id),
    )
  }
  return visited
}

const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    id: String(index).padStart(5, '0'),
    dueAtMs: index % 7,
    isSuspended: false,
  }))

it('T31: visits 1,000 due services once each, while 40 % of them leave the filter in the loop', () => {
  const rows = rowsOf(1000)
  const visited = visitAll(rows, 10, (row) => {
    if (Number(row.id) % 5 < 2) row.isSuspended = true
  })
  expect(visited).toEqual(rows.map(({ id }) => id))
})

it('T31: visits every row once whatever the work does to it, also when it is due again at once', () => {
  fc.assert(
    fc.property(
      fc.nat({ max: 60 }),
      fc.integer({ min: 1, max: 9 }),
      fc.func(fc.nat({ max: 2 })),
      (count, limit, choose) => {
        const rows = rowsOf(count)
        const visited = visitAll(rows, limit, (row) => {
          const choice = choose(row.id)
          if (choice === 0) row.isSuspended = true
          if (choice === 1) row.dueAtMs += 1
        })
        expect(visited).toEqual(rows.map(({ id }) => id))
      },
    ),
  )
})
