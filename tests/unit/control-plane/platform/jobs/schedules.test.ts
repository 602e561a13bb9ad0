import { expect, it } from 'vitest'
import { silentLog } from '#platform/logger.ts'
import { startSchedules } from '../../../../../control-plane/platform/jobs/schedules.ts'
import type { TaskQueue } from '../../../../../control-plane/platform/queue.ts'

/** The schedules of a queue that outlives its control planes. */
const queueWith = (schedules: Map<string, number>) =>
  ({
    every: async (kind, everyMs) => void schedules.set(kind, everyMs),
    endEvery: async (kind) => void schedules.delete(kind),
  }) satisfies Pick<TaskQueue, 'every' | 'endEvery'> as unknown as TaskQueue

it('the schedule of an earlier release ends, and that of its new name is written', async () => {
  const schedules = new Map([['untaken-sizes', 60_000]])
  const { close } = await startSchedules(queueWith(schedules), silentLog)
  close()
  expect(schedules.get('rejected-sizes')).toBe(60_000)
  expect([...schedules.keys()]).not.toContain('untaken-sizes')
})
