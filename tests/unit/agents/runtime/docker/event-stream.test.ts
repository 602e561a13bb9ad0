import { PassThrough } from 'node:stream'

import { describe, expect, it } from 'vitest'

import { followEvents, lineReader, parseEvent } from '../../../../../agents/runtime/docker/event-stream.ts'

import type { DockerEngine } from '../../../../../agents/runtime/docker/engine.ts'
import { ManualClock } from '../../../../setup/manual-clock.ts'
import { ManualTimers } from '../../../../support/manual-timers.ts'

const DIE = {
  Type: 'container',
  Action: 'die',
  Actor: { ID: 'abc', Attributes: { exitCode: '137', name: 'x' } },
  time: 1_700_000_000,
}

describe('events of the engine', () => {
  it('are read with their attributes', () => {
    expect(parseEvent(JSON.stringify(DIE))).toEqual({
      type: 'container',
      action: 'die',
      id: 'abc',
      attributes: { exitCode: '137', name: 'x' },
      atMs: 1_700_000_000_000,
    })
  })

  it.each([
    '{',
    'null',
    '[]',
    JSON.stringify({ ...DIE, Type: 'volume' }),
    JSON.stringify({ ...DIE, Action: 3 }),
    JSON.stringify({ ...DIE, Actor: null }),
  ])('%s is none', (line) => {
    expect(parseEvent(line)).toBeUndefined()
  })

  it('arrive in pieces of any size', () => {
    const lines: string[] = []
    const read = lineReader((line) => lines.push(line))
    for (const piece of ['on', 'e\ntwo\nth', '', 'ree\n\nfour']) read(piece)
    expect(lines).toEqual(['one', 'two', 'three'])
  })
})

describe('the stream of events', () => {
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  /** A follower of an engine whose streams and pings the test ends. */
  const followed = async () => {
    const streams: PassThrough[] = []
    const heard: string[] = []
    const state = { isPinged: true, pings: 0 }
    const engine = {
      open: () => {
        streams.push(new PassThrough())
        return Promise.resolve({ ok: true, value: streams.at(-1) })
      },
      ask: () => {
        state.pings += 1
        return Promise.resolve(state.isPinged ? { ok: true, value: 'OK' } : { ok: false, message: 'no answer' })
      },
    } as unknown as DockerEngine
    const timers = new ManualTimers(new ManualClock())
    const life = new AbortController()
    const listener = {
      event: ({ action }: { action: string }) => void heard.push(action),
      resync: () => void heard.push('resync'),
      lost: (reason: string) => void heard.push(`lost: ${reason}`),
    }
    followEvents({ engine, timers }, listener, life.signal)
    await turn()
    return { streams, heard, timers, life, state }
  }

  it.each([
    ['ends', 'the stream of events ended', (stream: PassThrough) => void stream.end()],
    ['is destroyed', 'the stream of events ended', (stream: PassThrough) => void stream.destroy()],
    ['fails', 'cut', (stream: PassThrough) => void stream.destroy(new Error('cut'))],
  ])('a stream that %s is a loss, is reported once, and is opened again', async (_name, reason, act) => {
    const { streams, heard, timers } = await followed()
    streams[0]?.write(`${JSON.stringify(DIE)}\n`)
    await turn()
    act(streams[0] ?? new PassThrough())
    await timers.advance(249)
    expect(heard).toEqual(['resync', 'die', `lost: ${reason}`])
    await timers.advance(1)
    expect([streams.length, heard.at(-1)]).toEqual([2, 'resync'])
    streams[1]?.write(`${JSON.stringify(DIE)}\n`)
    await turn()
    expect(heard.at(-1)).toBe('die')
  })

  it('an engine that does not answer a ping is lost', async () => {
    const { streams, heard, timers, state } = await followed()
    state.isPinged = false
    await timers.advance(10_000)
    expect(heard).toEqual(['resync', 'lost: no answer'])
    state.isPinged = true
    await timers.advance(250)
    expect([streams.length, heard.at(-1)]).toEqual([2, 'resync'])
  })

  it('the end of the follower ends its pings and events', async () => {
    const { streams, heard, timers, life, state } = await followed()
    await timers.advance(20_000)
    expect(state.pings).toBe(2)
    life.abort()
    streams[0]?.write(`${JSON.stringify(DIE)}\n`)
    await timers.advance(60_000)
    expect([state.pings, heard]).toEqual([2, ['resync']])
  })

  it('nothing is opened after the end of the follower', async () => {
    const { streams, heard, timers, life } = await followed()
    life.abort()
    streams[0]?.destroy()
    await timers.advance(60_000)
    expect([streams.length, heard]).toEqual([1, ['resync']])
  })
})
