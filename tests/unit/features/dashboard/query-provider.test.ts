import { expect, test, vi } from 'vitest'
import { createClient } from '../../../../src/features/dashboard/query-provider.tsx'

test('one list that fails is logged and skipped; the others come, and the next visit asks again', async () => {
  const mark = vi.spyOn(performance, 'mark')
  const client = createClient()
  let fails = true
  const tickets = {
    queryKey: ['tickets'],
    queryFn: async () => {
      if (fails) throw new Error('The list is away.')
      return ['one']
    },
  }
  const lists = await Promise.allSettled([
    client.fetchQuery(tickets),
    client.fetchQuery({ queryKey: ['servers'], queryFn: async () => ['a'] }),
  ])
  expect(lists.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(client.getQueryData(['servers'])).toEqual(['a'])
  expect(mark.mock.calls).toEqual([['did not load: tickets']])
  fails = false
  expect(await client.fetchQuery(tickets)).toEqual(['one'])
})
