import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ListenHandlers } from '#platform/postgres/listening.ts'
import { relayBackoffMs, startRelay, type Relay } from '#platform/postgres/relay.ts'

let handlers: ListenHandlers
let runs: (() => void)[]
let more: boolean[]
let failures: unknown[]
let isListening: boolean
let relay: Relay

/** A run that lasts until the test ends it. */
const drain = () =>
  new Promise<boolean>((resolve, reject) => {
    runs.push(() => {
      const next = more.shift()
      if (next === undefined) reject(new Error('the database is away'))
      else resolve(next)
    })
  })
const settle = () => vi.advanceTimersByTimeAsync(0)
const endRun = async () => {
  runs.at(-1)?.()
  await settle()
}

beforeEach(() => {
  vi.useFakeTimers()
  runs = []
  more = Array<boolean>(10).fill(false)
  failures = []
  isListening = true
  relay = startRelay({
    db: {
      listen: (_channel, given) => {
        handlers = given
        return {
          ready: Promise.resolve(),
          close: async () => {
            isListening = false
          },
        }
      },
    },
    channel: 'a_channel',
    pollMs: 5_000,
    drain,
    onFailure: (error) => failures.push(error),
  })
})
afterEach(() => vi.useRealTimers())

describe('a relay', () => {
  it('begins at once, and goes on while more may wait', async () => {
    more = [true, true, false]
    for (const count of [1, 2, 3]) {
      expect(runs).toHaveLength(count)
      await endRun()
    }
    expect(runs).toHaveLength(3)
  })

  it('that is woken during a run looks once more at its end, without waiting for the poll', async () => {
    handlers.onMessage('')
    handlers.onMessage('')
    handlers.onGap()
    expect(runs).toHaveLength(1)
    await endRun()
    expect(runs).toHaveLength(2)
    await endRun()
    expect(runs).toHaveLength(2)
  })

  it('looks by itself after a while, and when the connection stands anew', async () => {
    await endRun()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(runs).toHaveLength(2)
    await endRun()
    handlers.onGap()
    expect(runs).toHaveLength(3)
  })

  it('tells of a failure and tries again at the poll', async () => {
    more = []
    await endRun()
    expect(failures).toEqual([new Error('the database is away')])
    await vi.advanceTimersByTimeAsync(5_000)
    expect(runs).toHaveLength(2)
  })

  it('at its end waits for the run, and begins none', async () => {
    handlers.onMessage('')
    let isClosed = false
    const closing = relay.close().then(() => (isClosed = true))
    await settle()
    expect({ isClosed, isListening }).toEqual({ isClosed: false, isListening: false })
    more = [true]
    await endRun()
    await closing
    handlers.onMessage('')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(runs).toHaveLength(1)
  })
})

it('a message that fails waits twice as long each time, and at most a minute', () => {
  expect([0, 1, 5, 6, 20].map(relayBackoffMs)).toEqual([1_000, 2_000, 32_000, 60_000, 60_000])
})
