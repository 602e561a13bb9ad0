import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_SUMMARY_LAYOUT, SUMMARY_PANELS, type SummaryLayoutChange } from '#domain/users/summary-layout.ts'
import { systemIds } from '#platform/ids.ts'
import { changeSummaryLayout, readSummaryLayout } from '../../../control-plane/people/summary-layouts.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'

let database: PlatformDatabase
beforeAll(async () => {
  database = await platformDatabase(30)
})
afterAll(() => database.close())

const person = () => ({ userId: systemIds.next() })
const change = (caller: { userId: string }, wish: SummaryLayoutChange) =>
  changeSummaryLayout(testContext(database.db), { caller, change: wish })
const read = (caller: { userId: string }) => readSummaryLayout(database.db, caller)
const rowOf = ({ userId }: { userId: string }) =>
  database.owner.query<{ layout: { order: string[]; hidden: string[] } }>(
    'select layout from control.summary_layouts where user_id = $1',
    [userId],
  )

describe('the summary of a person', () => {
  it('is the default until something is changed, and is nobody else’s', async () => {
    const [one, other] = [person(), person()]
    expect(await read(one)).toEqual(DEFAULT_SUMMARY_LAYOUT)
    expect(await rowOf(one)).toEqual([])
    await change(one, { kind: 'move', panel: 'guides', before: 'servers' })
    expect((await read(one)).order[0]).toBe('guides')
    expect((await rowOf(one))[0]?.layout.order[0]).toBe('guides')
    expect(await read(other)).toEqual(DEFAULT_SUMMARY_LAYOUT)
  })

  it('is the default again after a reset, which leaves no row', async () => {
    const caller = person()
    await change(caller, { kind: 'show', panel: 'news', shown: false })
    expect((await read(caller)).hidden).toEqual(['news'])
    expect(await change(caller, { kind: 'reset' })).toEqual(DEFAULT_SUMMARY_LAYOUT)
    expect(await rowOf(caller)).toEqual([])
  })

  it('keeps the panels of a newer release through a change of this one', async () => {
    const caller = person()
    await database.owner.query('insert into control.summary_layouts values ($1, $2, now())', [
      caller.userId,
      JSON.stringify({ order: ['events', ...SUMMARY_PANELS], hidden: ['events'] }),
    ])
    expect(await read(caller)).toEqual(DEFAULT_SUMMARY_LAYOUT)
    await change(caller, { kind: 'move', panel: 'guides', before: 'servers' })
    expect((await rowOf(caller))[0]?.layout).toMatchObject({
      order: ['events', 'guides', ...SUMMARY_PANELS.filter((panel) => panel !== 'guides')],
      hidden: ['events'],
    })
  })
})

describe('windows at once', () => {
  it('undo nothing of one another, from the very first change on', async () => {
    const caller = person()
    await Promise.all(SUMMARY_PANELS.map((panel) => change(caller, { kind: 'show', panel, shown: false })))
    expect((await read(caller)).hidden.toSorted()).toEqual(SUMMARY_PANELS.toSorted())
    await Promise.all([
      ...SUMMARY_PANELS.map((panel) => change(caller, { kind: 'show', panel, shown: true })),
      change(caller, { kind: 'move', panel: 'news', before: 'servers' }),
    ])
    const { order, hidden } = await read(caller)
    expect([order[0], hidden]).toEqual(['news', []])
  })
})
