import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { Server } from '#contracts/http/server.ts'
import { applyStates } from '../../../../src/features/realtime/apply-event.ts'
import { keys } from '../../../../src/lib/queries/queries.ts'
import { readWithToldWords } from '../../../../src/lib/queries/told-words.ts'
import { shownServer } from '../../../factories/shown-server.ts'

const ID = '01890000-0000-7000-8000-000000000001'
const OTHER_ID = '01890000-0000-7000-8000-000000000002'
const listed = (id: string, status: Server['status']) => shownServer({ id, status })

/** A list that is being read; `answer` ends the reading. */
const reading = (client: QueryClient) => {
  const answers: ((servers: Server[]) => void)[] = []
  const read = () => new Promise<Server[]>((done) => answers.push(done))
  const queryFn = () => readWithToldWords(client, read)
  const done = client.fetchQuery({ queryKey: keys.servers, queryFn })
  new QueryObserver(client, { queryKey: keys.servers, queryFn, staleTime: Infinity }).subscribe(() => undefined)
  return { answers, done }
}

test('a state that is told while the list is on its way is not undone by the list', async () => {
  const client = new QueryClient()
  const { answers, done } = reading(client)
  applyStates(client, new Map([[ID, 'running']]))
  answers[0]?.([listed(ID, 'starting'), listed(OTHER_ID, 'offline')])
  expect((await done).map(({ status }) => status)).toEqual(['running', 'offline'])
  expect(client.getQueryData<Server[]>(keys.servers)?.map(({ status }) => status)).toEqual(['running', 'offline'])
})

test('a list that was asked for after a state is newer than it', async () => {
  const client = new QueryClient()
  applyStates(client, new Map([[ID, 'running']]))
  const { answers, done } = reading(client)
  answers[0]?.([listed(ID, 'crashed')])
  expect((await done).map(({ status }) => status)).toEqual(['crashed'])
})

test('a list that was asked for before a server existed is read again, and only then', async () => {
  const client = new QueryClient()
  const { answers, done } = reading(client)
  applyStates(client, new Map([[OTHER_ID, 'installing']]))
  answers[0]?.([listed(ID, 'running')])
  await done
  await expect.poll(() => answers.length).toBe(2)
  answers[1]?.([listed(ID, 'running'), listed(OTHER_ID, 'installing')])
  await expect.poll(() => client.getQueryData<Server[]>(keys.servers)?.length).toBe(2)
  applyStates(client, new Map([[OTHER_ID, 'starting']]))
  await Promise.resolve()
  expect(answers).toHaveLength(2)
})
