import { expect, test } from 'vitest'
import { readRecently } from '../../../../src/lib/site/read-recently.ts'

const setUp = () => {
  const asked: string[] = []
  const state = { nowMs: 0, fails: false }
  const read = readRecently(
    async (key: string, id: string) => {
      asked.push(`${key} ${id}`)
      if (state.fails) throw new Error('away')
      return `${key} at ${state.nowMs}`
    },
    () => state.nowMs,
  )
  return { asked, state, read }
}

test('A result is reused for one second, separately for each key', async () => {
  const { asked, state, read } = setUp()
  expect([await read('hu', '1'), await read('en', '2')]).toEqual(['hu at 0', 'en at 0'])
  state.nowMs = 999
  expect(await read('hu', '3')).toBe('hu at 0')
  state.nowMs = 1_000
  expect(await read('hu', '4')).toBe('hu at 1000')
  expect(asked).toEqual(['hu 1', 'en 2', 'hu 4'])
})

test('Concurrent callers share one reading', async () => {
  const { asked, read } = setUp()
  await Promise.all(Array.from({ length: 50 }, () => read('hu', '1')))
  expect(asked).toHaveLength(1)
})

test('A failure is not reused', async () => {
  const { asked, state, read } = setUp()
  state.fails = true
  await expect(read('hu', '1')).rejects.toThrow('away')
  state.fails = false
  expect(await read('hu', '2')).toBe('hu at 0')
  expect(asked).toHaveLength(2)
})

test('A clock that is set back does not extend the reuse of a result', async () => {
  const { asked, state, read } = setUp()
  state.nowMs = 5_000
  await read('hu', '1')
  state.nowMs = 4_000
  await read('hu', '2')
  expect(asked).toHaveLength(2)
})
