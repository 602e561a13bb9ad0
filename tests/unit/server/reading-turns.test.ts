import { describe, expect, it } from 'vitest'
import { createReadingTurns, isVisitorsRead } from '../../../src/server/reading-turns.ts'

describe('the turns of visitors who read', () => {
  /** Each read takes a millisecond; `events` has the reads and, as a bar, every end of a turn. */
  const rig = (turnMs: number) => {
    let nowMs = 0
    let next: (() => void) | undefined
    const events: string[] = []
    const readInTurn = createReadingTurns({
      turnMs,
      nowMs: () => nowMs,
      defer: (run) => {
        expect(next).toBeUndefined()
        next = run
      },
    })
    const read = (name: string) =>
      readInTurn(() => {
        nowMs += 1
        events.push(name)
      })
    const turn = () => {
      const run = next
      next = undefined
      run?.()
      events.push('|')
    }
    return { read, readInTurn, turn, events, isWaiting: () => next !== undefined }
  }

  it('end after their time, and the reads that are left keep their order', () => {
    const { read, turn, events, isWaiting } = rig(3)
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
    const { read, turn, events } = rig(0)
    read('a')
    read('b')
    turn()
    turn()
    expect(events.join('')).toBe('a|b|')
  })

  it('go on after a read that throws', () => {
    const { read, readInTurn, turn, events } = rig(3)
    readInTurn(() => {
      throw new Error('a fault')
    })
    read('a')
    expect(turn).toThrow('a fault')
    turn()
    expect(events.join('')).toBe('a|')
  })

  it('begin again with the first read after a pause', () => {
    const { read, turn, events } = rig(3)
    read('a')
    turn()
    read('b')
    turn()
    expect(events.join('')).toBe('a|b|')
  })
})

describe("a visitor's read", () => {
  it.each([
    ['a page', { method: 'GET', headers: {} }, true],
    ['the head of a page', { method: 'HEAD', headers: { cookie: 'i18n=hu' } }, true],
    ['a page with a session', { method: 'GET', headers: { cookie: 'i18n=hu; __Host-bakter_access=token' } }, false],
    ['a call with a token', { method: 'GET', headers: { authorization: 'Bearer token' } }, false],
    ['a sign-in', { method: 'POST', headers: {} }, false],
  ] as const)('%s', (_name, request, isOne) => {
    expect(isVisitorsRead(request, true)).toBe(isOne)
  })
})
