import { expect, it } from 'vitest'
import { NO_RESULT, type FileJob } from '#contracts/panel/file-jobs.ts'
import { endOfJob, isSilent } from '@/features/files/jobs/job-end.ts'
import { sayingOf } from '@/features/files/jobs/job-saying.ts'

const job = (change: Partial<FileJob>): FileJob => ({
  ...NO_RESULT,
  id: '01990000-0000-7000-9000-000000000001',
  kind: 'delete',
  state: 'done',
  path: 'world',
  things: 2,
  moves: false,
  isOwn: true,
  arrives: false,
  startedAtMs: 0,
  endedAtMs: 10,
  done: 1,
  total: 1,
  refusal: null,
  ...change,
})

it('a deletion that took long is in the list afterwards, a short one is not, and a refusal always is', () => {
  expect(isSilent(job({}))).toBe(true)
  expect(isSilent(job({ kind: 'empty-bin' }))).toBe(true)
  expect(isSilent(job({ endedAtMs: 4_000 }))).toBe(false)
  expect(isSilent(job({ refusals: ['DENIED'] }))).toBe(false)
  expect(isSilent(job({ state: 'cancelled' }))).toBe(false)
  expect(isSilent(job({ kind: 'compress' }))).toBe(false)
})

it('a job is followed to its end, and one that somebody has closed has none', async () => {
  const lists = [[job({ state: 'running' })], [job({ refusals: [null] })]]
  expect(await endOfJob(job({ state: 'waiting' }), () => Promise.resolve(lists.shift() ?? []))).toEqual(
    job({ refusals: [null] }),
  )
  expect(await endOfJob(job({ state: 'running' }), () => Promise.resolve([]))).toBeUndefined()
})

it('a cancelled deletion does not claim that nothing was changed', () => {
  expect(sayingOf(job({ state: 'cancelled' })).key).toBe('cancelledDelete')
  expect(sayingOf(job({ kind: 'empty-bin', state: 'cancelled' })).key).toBe('cancelledEmptyBin')
  expect(sayingOf(job({ kind: 'empty-bin', state: 'interrupted' })).key).toBe('interruptedEmptyBin')
  expect(sayingOf(job({ state: 'failed' })).key).toBe('failedDelete')
})
