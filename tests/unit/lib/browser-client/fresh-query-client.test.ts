import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { FreshQueryClient } from '../../../../src/lib/browser-client/fresh-query-client.ts'

const QUERY_KEY = ['files', 'folder']

/** A list in a folder, whose readings end when they are told to. */
class Folder {
  files = ['old.txt']
  readonly readings: (() => void)[] = []
  readonly read = (): Promise<string[]> => {
    const seen = [...this.files]
    return new Promise((resolve) => this.readings.push(() => resolve(seen)))
  }
}

let client: FreshQueryClient
let folder: Folder
let observer: QueryObserver<string[]>
let leave: () => void
beforeEach(() => {
  client = new FreshQueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })
  folder = new Folder()
  observer = new QueryObserver<string[]>(client, { queryKey: QUERY_KEY, queryFn: folder.read })
  leave = observer.subscribe(() => {})
})
afterEach(() => {
  leave()
  client.clear()
})

const shown = () => observer.getCurrentResult().data
const reading = (index: number) => expect.poll(() => folder.readings[index]).toBeTypeOf('function')
const ends = (index: number) => folder.readings[index]?.()

it('reads a list again whose first reading began before the change, and shows the first meanwhile', async () => {
  await reading(0)
  folder.files.push('new.txt')
  const told = client.invalidateQueries({ queryKey: ['files'] })
  ends(0)
  await reading(1)
  expect(shown()).toEqual(['old.txt'])
  ends(1)
  await told
  expect(shown()).toEqual(['old.txt', 'new.txt'])
  expect(folder.readings).toHaveLength(2)
})

it('reads a list once more for all changes during its first reading', async () => {
  await reading(0)
  const told = Array.from({ length: 20 }, (_, at) => {
    folder.files.push(`${at}.txt`)
    return client.invalidateQueries({ queryKey: ['files'] })
  })
  ends(0)
  await reading(1)
  ends(1)
  await Promise.all(told)
  expect([shown()?.length, folder.readings.length]).toEqual([21, 2])
})

it('leaves a reading alone with which the caller is content', async () => {
  await reading(0)
  const told = client.invalidateQueries({ queryKey: ['files'] }, { cancelRefetch: false })
  ends(0)
  await told
  expect(folder.readings).toHaveLength(1)
})

it('reads a list once more after a change that finds it read', async () => {
  await reading(0)
  ends(0)
  await expect.poll(shown).toEqual(['old.txt'])
  folder.files = []
  const told = client.invalidateQueries({ queryKey: ['files'] })
  await reading(1)
  ends(1)
  await told
  expect([shown(), folder.readings.length]).toEqual([[], 2])
})

it('reads a list that its reader has left only when they come back', async () => {
  await reading(0)
  const told = client.invalidateQueries({ queryKey: ['files'] })
  leave()
  folder.files = []
  ends(0)
  await told
  expect(folder.readings).toHaveLength(1)
  leave = observer.subscribe(() => {})
  await reading(1)
  ends(1)
  await expect.poll(shown).toEqual([])
})

it('leaves alone what is only to be marked, and what has another key', async () => {
  await reading(0)
  const marked = client.invalidateQueries({ queryKey: ['files'], refetchType: 'none' })
  const other = client.invalidateQueries({ queryKey: ['servers'] })
  ends(0)
  await Promise.all([marked, other])
  expect(folder.readings).toHaveLength(1)
})
