import { expect, it } from 'vitest'
import { together } from '#platform/postgres/together.ts'

it('parts that all succeed answer in their order', async () => {
  expect(await together([Promise.resolve(1), 'two', Promise.resolve(3)])).toEqual([1, 'two', 3])
})

it('the first failure is thrown only when no part is under way any more', async () => {
  const seen: string[] = []
  let end = () => {}
  const slowly = new Promise<void>((done) => {
    end = done
  }).then(() => {
    seen.push('the slow part ended')
    throw new Error('late')
  })
  const all = together([slowly, Promise.reject(new Error('first'))]).catch((error: Error) => seen.push(error.message))
  await new Promise((done) => setImmediate(done))
  expect(seen).toEqual([])
  end()
  await all
  expect(seen).toEqual(['the slow part ended', 'first'])
})
