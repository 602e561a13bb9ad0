import { beforeEach, expect, test } from 'vitest'
import type { FinishedPage } from '../../../src/server/kept-page.ts'
import { createPageMemory } from '../../../src/server/page-memory.ts'
import type { PageMemory } from '../../../src/server/page-memory.ts'

const page = (text: string, change: Partial<FinishedPage> = {}): FinishedPage => ({
  status: 200,
  headers: { 'content-type': 'text/html', 'x-nextjs-cache': 'HIT', etag: '"one"' },
  body: Buffer.from(text),
  cacheControl: 's-maxage=3600',
  mark: 'mark',
  ...change,
})
const bodyOf = (memory: PageMemory, key = 'key') => memory.find(key)?.body.toString()

/** A rendering whose end is in the test's hand. */
const held = () => {
  let count = 0
  let finish: (answer: FinishedPage) => void = () => {}
  let fail: (error: Error) => void = () => {}
  const render = () => {
    count += 1
    return new Promise<FinishedPage>((done, failed) => ([finish, fail] = [done, failed]))
  }
  return { render, count: () => count, finish: (answer: FinishedPage) => finish(answer), fail: (e: Error) => fail(e) }
}

let nowMs: number
let mark: string
let memory: PageMemory
beforeEach(() => {
  nowMs = 0
  mark = 'mark'
  memory = createPageMemory({ nowMs: () => nowMs, mark: () => mark })
})

test('A page is served from memory until it expires', async () => {
  await memory.make('key', async () => page('first'))
  nowMs = 59_999
  expect(bodyOf(memory)).toBe('first')
  nowMs = 60_000
  expect(bodyOf(memory)).toBeUndefined()
})

test('A hundred concurrent requests share one rendering', async () => {
  const rendering = held()
  const waiting = Array.from({ length: 100 }, () => memory.make('key', rendering.render))
  rendering.finish(page('first'))
  const answers = await Promise.all(waiting)
  expect([rendering.count(), new Set(answers).size]).toEqual([1, 1])
})

test('A failure rejects every waiting request, and the next request renders again', async () => {
  const rendering = held()
  const waiting = [memory.make('key', rendering.render), memory.make('key', rendering.render)]
  rendering.fail(new Error('no database'))
  const outcomes = await Promise.allSettled(waiting)
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await memory.make('key', async () => page('first'))).not.toBeNull()
  expect(bodyOf(memory)).toBe('first')
})

test('A response that must not be shared is returned to no waiting request', async () => {
  expect(await memory.make('key', async () => page('failed', { status: 500 }))).toBeNull()
  expect(memory.count()).toBe(0)
})

test('A change of content drops every page', async () => {
  await memory.make('key', async () => page('old'))
  memory.forget()
  expect([bodyOf(memory), memory.count(), memory.bytes()]).toEqual([undefined, 0, 0])
})

test('A page whose rendering began before a change is served and not kept', async () => {
  const rendering = held()
  const making = memory.make('key', rendering.render)
  memory.forget()
  rendering.finish(page('old'))
  expect((await making)?.body.toString()).toBe('old')
  expect(bodyOf(memory)).toBeUndefined()
})

test('A request after a change does not wait for the old rendering, whose end does not affect the new one', async () => {
  const [old, fresh] = [held(), held()]
  const before = memory.make('key', old.render)
  memory.forget()
  const after = memory.make('key', fresh.render)
  old.finish(page('old'))
  await before
  const late = memory.make('key', fresh.render)
  fresh.finish(page('new'))
  expect([(await after)?.body.toString(), (await late)?.body.toString()]).toEqual(['new', 'new'])
  expect([fresh.count(), bodyOf(memory)]).toEqual([1, 'new'])
})

test('A page whose policy names other origins is not served', async () => {
  await memory.make('key', async () => page('first'))
  mark = 'with a new node'
  expect(bodyOf(memory)).toBeUndefined()
  mark = 'mark'
  expect(bodyOf(memory)).toBe('first')
})

test('The memory stays below its bound and drops the least recently served page first', async () => {
  memory = createPageMemory({ nowMs: () => nowMs, mark: () => mark, maxBytes: 25_000 })
  const make = (key: string) => memory.make(key, async () => page('', { body: Buffer.alloc(10_000) }))
  await make('a')
  await make('b')
  memory.find('a')
  await make('c')
  expect(['a', 'b', 'c'].map((key) => memory.find(key) !== undefined)).toEqual([true, false, true])
  expect(memory.bytes()).toBeLessThanOrEqual(25_000)
})
