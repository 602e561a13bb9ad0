import { expect, test, vi } from 'vitest'
import { checkSession } from '../../../../src/lib/realtime/check-session.ts'
import { watchState } from '../../../../src/lib/realtime/watch-state.ts'

const ask = async (me: () => Promise<number>, refresh = async () => true) => {
  const deps = {
    me: vi.fn<() => Promise<number>>(me),
    refresh: vi.fn<() => Promise<boolean>>(refresh),
    leave: vi.fn<() => void>(),
  }
  const answer = await checkSession(deps)
  return { answer, refreshes: deps.refresh.mock.calls.length, leaves: deps.leave.mock.calls.length }
}

test.each([
  [200, 'go', 0],
  [401, 'go', 1],
  [403, 'go', 1],
  [500, 'go', 0],
  [503, 'go', 0],
  [429, 'go', 0],
] as const)('a status of %s: %s, after %s refreshes', async (status, answer, refreshes) => {
  expect(await ask(async () => status)).toEqual({ answer, refreshes, leaves: 0 })
})

test.each([401, 403])('a refused refresh after %s logs out and aborts the link', async (status) => {
  const refused = await ask(
    async () => status,
    async () => false,
  )
  expect(refused).toEqual({ answer: 'abort', refreshes: 1, leaves: 1 })
})

test('trouble of the network is ignored, also that of the refresh', async () => {
  const away = () => Promise.reject(new TypeError('Failed to fetch'))
  expect(await ask(away)).toEqual({ answer: 'go', refreshes: 0, leaves: 0 })
  expect(await ask(async () => 401, away)).toEqual({ answer: 'go', refreshes: 1, leaves: 0 })
})

test('the indicator reads the state every 500 ms and not in between', () => {
  let run = (): void => undefined
  const view = {
    setInterval: vi.fn<(tick: () => void, everyMs: number) => number>((tick) => {
      run = tick
      return 3
    }),
    clearInterval: vi.fn<(timer: number) => void>(),
  }
  const shown: string[] = []
  let state: 'connecting' | 'connected' = 'connecting'
  const stop = watchState(
    view,
    () => state,
    (now) => shown.push(now),
  )
  expect(view.setInterval).toHaveBeenCalledWith(expect.any(Function), 500)
  state = 'connected'
  expect(shown).toEqual([])
  run()
  expect(shown).toEqual(['connected'])
  stop()
  expect(view.clearInterval).toHaveBeenCalledWith(3)
})
