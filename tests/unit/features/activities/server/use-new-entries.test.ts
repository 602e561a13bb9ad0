import { expect, test } from 'vitest'
import type { ServerActivity, ServerActivityPage } from '#contracts/http/panel/server-activity.ts'
import { newerThan } from '../../../../../src/features/activities/server/use-new-entries.ts'

const entry = (id: string, date: string) => ({ id, date }) as ServerActivity
const log = (...items: ServerActivity[]) => ({
  pages: [{ items, people: [], next: null } satisfies ServerActivityPage],
})
const [older, newer, newest] = [
  entry('1', '2026-11-20T10:00'),
  entry('2', '2026-11-20T11:00'),
  entry('3', '2026-11-20T12:00'),
]

test('new are the entries above the first one that the log does not have', () => {
  expect(newerThan(log(newer, older), [newest, newer, older])).toEqual([newest])
  expect(newerThan(log(newest, newer), [newest, newer])).toEqual([])
  expect(newerThan(log(), [older])).toEqual([older])
  expect(newerThan(undefined, [older])).toEqual([])
})

test('one that arrived late, for the middle of the log, is not new', () => {
  expect(newerThan(log(newest, older), [newest, newer, older])).toEqual([])
})
