import { describe, expect, it } from 'vitest'

import { FloodNotice, Throttle } from '../../../../agents/console/throttle.ts'

describe('throttle', () => {
  it('lets a window through and then waits for the rest of it', () => {
    const throttle = new Throttle({ lines: 10, bytes: 1_000, windowMs: 100 })
    expect(throttle.take(10, 100, 0)).toBe(0)
    expect(throttle.take(1, 10, 30)).toBe(70)
    expect(throttle.take(5, 10, 100)).toBe(0)
  })

  it('counts bytes too, and starts anew when the clock goes back', () => {
    const throttle = new Throttle({ lines: 10, bytes: 1_000, windowMs: 100 })
    expect(throttle.take(1, 1_001, 500)).toBe(100)
    expect(throttle.take(1, 1, 400)).toBe(0)
  })
})

describe('words about a flood [P14]', () => {
  it('says when it begins, and counts what came in it when it is over', () => {
    const notice = new FloodNotice()
    expect(notice.read(1_000, 0, 0)).toBeUndefined()
    expect(notice.read(2_500, 80, 100)).toMatchObject({ text: expect.stringContaining('No line is lost') })
    expect(notice.read(2_500, 70, 200)).toBeUndefined()
    expect(notice.read(40, 0, 300)).toBeUndefined()
    expect(notice.look(900)).toBeUndefined()
    expect(notice.look(1_200)).toEqual({
      text: 'The output was slowed down by 0.2 s over 5,040 lines. No line was lost.',
      note: { code: 'flood-counted', params: { seconds: 0.2, lines: 5_040 } },
    })
    expect(notice.isFlood).toBe(false)
    expect(notice.look(5_000, true)).toBeUndefined()
  })

  it('speaks every ten seconds of a flood that goes on, and at the end of the output', () => {
    const notice = new FloodNotice()
    const told = Array.from({ length: 250 }, (_, index) => {
      const now = index * 100
      return [notice.read(2_001, 50, now), notice.look(now)]
    }).flat()
    expect(told.filter((note) => note !== undefined)).toHaveLength(3)
    expect(notice.look(25_000, true)?.text).toContain('No line was lost')
  })
})
