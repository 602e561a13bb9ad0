import { expect, test } from 'vitest'
import { createAttemptKeys } from '../../../../src/lib/browser-client/attempt-keys.ts'
import { ApiFailure } from '../../../../src/lib/browser-client/failure.ts'

const lost = new ApiFailure({ code: 'OFFLINE', status: 0, message: 'nobody answered' })
const attempts = () => {
  let made = 0
  const keys = createAttemptKeys(() => `k${(made += 1)}`)
  const used: string[] = []
  const record = (key: string) => {
    used.push(key)
    return key
  }
  return {
    used,
    lose: (place: string, body: unknown) =>
      expect(keys.send(place, body, (key) => Promise.reject(lost).finally(() => record(key)))).rejects.toThrow(lost),
    answer: (place: string, body: unknown) => keys.send(place, body, (key) => Promise.resolve(record(key))),
    send: keys.send,
  }
}

test('an attempt keeps its key until its body changes or it is answered, whatever goes to other places', async () => {
  const { used, lose, answer } = attempts()
  await lose('/api/orders', { months: 1 })
  await lose('/api/premium', { months: 1 })
  await lose('/api/orders', { months: 1 })
  await lose('/api/orders', { months: 2 })
  await answer('/api/premium', { months: 1 })
  await answer('/api/orders', { months: 2 })
  await answer('/api/orders', { months: 2 })
  expect(used).toEqual(['k1', 'k2', 'k1', 'k3', 'k2', 'k3', 'k4'])
})

test('a late answer to an earlier attempt does not settle the one that took its place', async () => {
  const { lose, answer, send } = attempts()
  let late = () => {}
  const earlier = send('/api/orders', { months: 1 }, () => new Promise<void>((resolve) => (late = resolve)))
  await lose('/api/orders', { months: 2 })
  late()
  await earlier
  expect(await answer('/api/orders', { months: 2 })).toBe('k2')
})
