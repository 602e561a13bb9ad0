import { describe, expect, it } from 'vitest'
import { createReadingTurns, rankOf } from '../../../src/server/reading-turns.ts'
import type { Read } from '../../../src/server/reading-turns.ts'

const FIGURES = { turnMs: 3, waiting: 100, waitingPerAddress: 50, waitMs: 1_000 }

describe('the turns of those who read', () => {
  /** Each read takes a millisecond; `events` has the reads, refused ones in brackets and, as a bar, each end of a turn. */
  const rig = (change: Partial<typeof FIGURES> = {}) => {
    let nowMs = 0
    let next: (() => void) | undefined
    const events: string[] = []
    const readInTurn = createReadingTurns({
      figures: { ...FIGURES, ...change },
      nowMs: () => nowMs,
      defer: (run) => {
        expect(next).toBeUndefined()
        next = run
      },
    })
    const read = (name: string, more: Partial<Read> = {}) =>
      readInTurn({
        rank: 'visitor',
        address: '192.0.2.1',
        run: () => {
          nowMs += 1
          events.push(name)
        },
        refuse: () => events.push(`(${name})`),
        ...more,
      })
    const turn = () => {
      const run = next
      next = undefined
      run?.()
      events.push('|')
    }
    const pass = (ms: number) => (nowMs += ms)
    return { read, turn, pass, events, isWaiting: () => next !== undefined }
  }

  it('end after their time, and the reads that are left keep their order', () => {
    const { read, turn, events, isWaiting } = rig()
    for (const name of 'abcdefg') read(name)
    expect(events).toEqual([])
    turn()
    read('h')
    turn()
    turn()
    expect(events.join('')).toBe('abc|def|gh|')
    expect(isWaiting()).toBe(false)
  })

  it('serve one read at least, however long it takes', () => {
    const { read, turn, events } = rig({ turnMs: 0 })
    read('a')
    read('b')
    turn()
    turn()
    expect(events.join('')).toBe('a|b|')
  })

  it('go on after a read that throws', () => {
    const { read, turn, events } = rig()
    read('x', {
      run: () => {
        throw new Error('a fault')
      },
    })
    read('a')
    expect(turn).toThrow('a fault')
    turn()
    expect(events.join('')).toBe('a|')
  })

  it('begin again with the first read after a pause', () => {
    const { read, turn, events } = rig()
    read('a')
    turn()
    read('b')
    turn()
    expect(events.join('')).toBe('a|b|')
  })

  it('serve people who came behind a crowd of visitors first, and one visitor each time', () => {
    const { read, turn, events } = rig()
    for (const name of 'abc') read(name)
    for (const name of 'PQRST') read(name, { rank: 'person', address: '192.0.2.2' })
    turn()
    turn()
    turn()
    expect(events.join('')).toBe('PQRa|STb|c|')
  })

  it('go from address to address, so that one that sends many delays another by one read', () => {
    const { read, turn, events } = rig()
    for (const name of 'abcdef') read(name, { address: '192.0.2.9' })
    read('X', { address: '192.0.2.2' })
    read('Y', { address: '192.0.2.3' })
    turn()
    turn()
    expect(events.join('')).toBe('aXY|bcd|')
  })

  it('refuse what is too much for an address or for all, at once', () => {
    const { read, events } = rig({ waiting: 3, waitingPerAddress: 2 })
    for (const name of 'abc') read(name, { address: '192.0.2.9' })
    read('X', { address: '192.0.2.2' })
    read('Y', { address: '192.0.2.3' })
    expect(events.join('')).toBe('(c)(Y)')
  })

  it('refuse a read whose turn comes too late, and serve the one behind it', () => {
    const { read, turn, pass, events } = rig()
    read('a')
    pass(FIGURES.waitMs + 1)
    read('b')
    turn()
    expect(events.join('')).toBe('(a)b|')
  })
})

describe('a request is ranked as', () => {
  it.each([
    ['a page', { method: 'GET', headers: {} }, 'visitor'],
    ['the head of a page', { method: 'HEAD', headers: { cookie: 'i18n=hu' } }, 'visitor'],
    ['a page with a session', { method: 'GET', headers: { cookie: 'i18n=hu; __Host-bakter_access=token' } }, 'person'],
    ['a call with a token', { method: 'GET', headers: { authorization: 'Bearer token' } }, 'person'],
    ['a sign-in', { method: 'POST', headers: {} }, null],
  ] as const)('%s', (_name, request, rank) => {
    expect(rankOf(request, true)).toBe(rank)
  })
})
