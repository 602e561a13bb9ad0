import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import type { ListenHandlers } from '#platform/postgres/listening.ts'
import { CONTENT_CHANNEL } from '../../../src/lib/site/content-channel.ts'
import { followContentChanges } from '../../../src/server/content-changes.ts'
import { EVERY_PAGE } from '../../../src/server/forget-pages.ts'

let listener: ListenHandlers
let forgotten: (readonly string[])[]
let failures: unknown[]
let refuses: boolean
let isEnded: boolean
let stop: () => Promise<void>

beforeEach(() => {
  vi.useFakeTimers()
  forgotten = []
  failures = []
  refuses = false
  isEnded = false
  stop = followContentChanges({
    db: {
      listen: (channel, given) => {
        expect(channel).toBe(CONTENT_CHANNEL)
        listener = given
        return {
          ready: Promise.resolve(),
          close: async () => {
            isEnded = true
          },
        }
      },
    },
    forget: async (tags) => {
      forgotten.push(tags)
      if (refuses) throw new Error('refused')
    },
    onFailure: (error) => failures.push(error),
  })
})
afterEach(() => vi.useRealTimers())

it('forgets at once what changed, and once more when pages that were being made are stored', () => {
  listener.onMessage('news')
  expect(forgotten).toEqual([['news']])
  listener.onMessage('landing')
  listener.onMessage('news')
  expect(forgotten).toEqual([['news'], ['landing'], ['news']])
  vi.advanceTimersByTime(60_000)
  expect(forgotten.slice(3)).toEqual([['news', 'landing']])
})

it('forgets every page when changes may have been missed', () => {
  listener.onGap()
  expect(forgotten).toEqual([[EVERY_PAGE]])
})

it('tells of a failure and goes on', async () => {
  refuses = true
  listener.onMessage('news')
  await vi.advanceTimersByTimeAsync(1)
  expect(failures).toHaveLength(1)
  refuses = false
  listener.onMessage('news')
  expect(forgotten).toHaveLength(2)
})

it('does nothing more after its end', async () => {
  listener.onMessage('news')
  await stop()
  expect(isEnded).toBe(true)
  vi.advanceTimersByTime(60_000)
  expect(forgotten).toHaveLength(1)
})
