import { expect, it } from 'vitest'
import { NO_RESULT, type FileJob } from '#contracts/panel/file-jobs.ts'
import { sayingOf } from '@/features/files/jobs/job-saying.ts'

const job = (change: Partial<FileJob>): FileJob => ({
  ...NO_RESULT,
  id: '01990000-0000-7000-9000-000000000001',
  kind: 'transfer',
  state: 'done',
  path: 'world',
  things: 2,
  moves: false,
  isOwn: true,
  arrives: false,
  startedAtMs: 0,
  endedAtMs: 1,
  done: 1,
  total: 1,
  refusal: null,
  ...change,
})

it('a transfer tells a copy from a move, while it runs and afterwards', () => {
  expect(sayingOf(job({ state: 'running' })).key).toBe('copyingTo')
  expect(sayingOf(job({ state: 'waiting', moves: true })).key).toBe('movingTo')
  expect(sayingOf(job({})).key).toBe('copiedTo')
  expect(sayingOf(job({ moves: true, refusals: [null, null] })).key).toBe('movedTo')
  expect(sayingOf(job({ kind: 'copy' })).key).toBe('copied')
})

it('a cancelled transfer does not claim that nothing was changed', () => {
  expect(sayingOf(job({ state: 'cancelled' })).key).toBe('cancelledTransfer')
  expect(sayingOf(job({ kind: 'copy', state: 'cancelled' })).key).toBe('cancelled')
})

it('a deletion that was interrupted does not claim that it can just be started again', () => {
  expect(sayingOf(job({ kind: 'delete', state: 'interrupted' })).key).toBe('interruptedDelete')
  expect(sayingOf(job({ kind: 'empty-bin', state: 'interrupted' })).key).toBe('interruptedEmptyBin')
  expect(sayingOf(job({ kind: 'copy', state: 'interrupted' })).key).toBe('interrupted')
})

it('the first refusal is said, and the storage is that of the server that receives', () => {
  expect(sayingOf(job({ refusals: [null, 'SOURCE_KEPT', 'NOT_FOUND'] }))).toMatchObject({ why: 'SOURCE_KEPT' })
  expect(sayingOf(job({ state: 'failed', refusal: 'BUSY' }))).toMatchObject({ is: 'refused', why: 'BUSY' })
  expect(sayingOf(job({ refusals: ['NO_SPACE'] }))).toEqual({ is: 'refused', why: null, key: 'noSpaceThere' })
  expect(sayingOf(job({ kind: 'copy', refusals: ['NO_SPACE'] }))).toMatchObject({ why: 'NO_SPACE' })
  expect(sayingOf(job({ state: 'failed' }))).toEqual({ is: 'refused', why: null, key: 'failedTransfer' })
})

it('the server that receives says what arrives, and that its own storage is full', () => {
  expect(sayingOf(job({ arrives: true, state: 'waiting', moves: true })).key).toBe('arriving')
  expect(sayingOf(job({ arrives: true, moves: true })).key).toBe('arrived')
  expect(sayingOf(job({ arrives: true, state: 'cancelled' })).key).toBe('cancelledTransfer')
  expect(sayingOf(job({ arrives: true, state: 'failed' }))).toEqual({ is: 'refused', why: null, key: 'failedArrival' })
  expect(sayingOf(job({ arrives: true, refusals: ['NO_SPACE'] }))).toEqual({
    is: 'refused',
    why: null,
    key: 'noSpaceHere',
  })
})
