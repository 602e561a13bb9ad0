import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { applyStates } from '../../../../src/features/realtime/apply-event.ts'
import { createStateBatch, nextFrame } from '../../../../src/features/realtime/state-batch.ts'
import { keys } from '../../../../src/lib/queries/queries.ts'
import { shownServer } from '../../../factories/shown-server.ts'

test('fifty states before a frame are applied once, each server with its last one', () => {
  const applied: unknown[] = []
  const frames: (() => void)[] = []
  const batch = createStateBatch(
    (words) => applied.push([...words]),
    (run) => frames.push(run),
  )
  for (let event = 0; event < 50; event += 1)
    batch.add(event % 2 === 0 ? 'a' : 'b', event < 48 ? 'starting' : 'running')
  expect([frames.length, applied]).toEqual([1, []])
  frames[0]?.()
  const expected = [
    [
      ['a', 'running'],
      ['b', 'running'],
    ],
  ]
  expect(applied).toEqual(expected)
  // Nothing new: nothing is applied, and the next state waits for a frame of its own.
  batch.flush()
  expect(applied).toEqual(expected)
  batch.add('a', 'stopping')
  expect(frames).toHaveLength(2)
  batch.flush()
  frames[1]?.()
  expect(applied).toHaveLength(2)
})

test('a page without frames applies a state soon, a page with frames at the next one, both once', async () => {
  vi.useFakeTimers()
  let frame: (() => void) | undefined
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => {
    frame = run
    return 1
  })
  vi.stubGlobal('cancelAnimationFrame', () => (frame = undefined))
  let runs = 0
  const count = () => (runs += 1)
  nextFrame(count)
  frame?.()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(runs).toBe(1)
  nextFrame(count)
  await vi.advanceTimersByTimeAsync(1_000)
  expect([runs, frame]).toEqual([2, undefined])
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const listOf = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    shownServer({ id: `01890000-0000-7000-8000-${String(at).padStart(12, '0')}` }),
  )

test('states of listed servers never load the list again, and keep the rows of all others', () => {
  const client = new QueryClient()
  const before = listOf(200)
  client.setQueryData(keys.servers, before)
  const invalidate = vi.spyOn(client, 'invalidateQueries')
  for (let event = 0; event < 50; event += 1) {
    applyStates(client, new Map([[before[event]?.id ?? '', 'running']]))
  }
  const after = client.getQueryData<typeof before>(keys.servers) ?? []
  expect(after.filter(({ status }) => status === 'running')).toHaveLength(50)
  expect(after.slice(50).every((server, at) => server === before[at + 50])).toBe(true)
  expect(invalidate.mock.calls.filter(([filters]) => filters?.queryKey === keys.servers)).toEqual([])
  // The same state again renders nothing.
  applyStates(client, new Map([[before[0]?.id ?? '', 'running']]))
  expect(client.getQueryData(keys.servers)).toBe(after)
})

test('an unknown server loads the list once, without cutting off a load that is under way', () => {
  const client = new QueryClient()
  client.setQueryData(keys.servers, listOf(1))
  const invalidate = vi.spyOn(client, 'invalidateQueries')
  for (let event = 0; event < 50; event += 1) applyStates(client, new Map([['new', 'starting']]))
  const loads = invalidate.mock.calls.filter(([filters]) => filters?.queryKey === keys.servers)
  expect(loads).toEqual([[{ queryKey: keys.servers }, { cancelRefetch: false }]])
})
