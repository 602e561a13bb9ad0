import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { QueryPool } from '../../../agents/players/query-pool.ts'
import { QueryProcess, type QueryTime } from '../../../agents/players/query-process.ts'
import { ManualClock } from '../../setup/manual-clock.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { ManualTimers } from '../../support/manual-timers.ts'
import { waitFor } from '../../support/wait-for.ts'

const QUESTION = { type: 'protocol-minecraftvanilla', ip: '127.0.0.1', port: 25_565 } as const
const PLAYERS = { online: 2, max: 20, names: ['Kovi77', 'Panni'] }
const ANSWERED = { state: 'answered', ...PLAYERS }
const scratch = scratchFolder()
const place = (name: string) => path.join(scratch.path, name)
const allow = (...names: string[]) => {
  for (const name of names) writeFileSync(place(name), '')
}
const reached = (name: string) => waitFor(`the program's ${name}`, () => existsSync(place(name)))

let timers: ManualTimers
let time: QueryTime
let queries: QueryProcess

/** Begins, starts and answers when the test allows it, and leaves a file at each step. */
const PROGRAM = `
import { existsSync, writeFileSync } from 'node:fs'
const place = (name) => ${JSON.stringify(scratch.path)} + '/' + name
const allowed = async (name) => { while (!existsSync(place(name))) await new Promise((done) => setTimeout(done, 5)) }
writeFileSync(place('began'), '')
await allowed('start')
process.on('message', async ({ port }) => {
  writeFileSync(place('asked'), '')
  writeFileSync(place('asked-' + port), '')
  await Promise.race([allowed('answer'), allowed('answer-' + port)])
  process.send(${JSON.stringify(PLAYERS)}, () => { if (existsSync(place('end'))) process.exit(1) })
})
process.on('disconnect', () => process.exit(0))
process.send('ready')`

beforeEach(() => {
  for (const name of readdirSync(scratch.path)) rmSync(place(name))
  writeFileSync(place('program.mjs'), PROGRAM)
  const clock = new ManualClock()
  timers = new ManualTimers(clock)
  time = { timers, now: () => clock.now() }
  queries = new QueryProcess(place('program.mjs'), time)
})
afterEach(() => queries.close())
afterAll(() => scratch.remove())

it('does not take a process that starts slowly for a game that says nothing', async () => {
  const answer = queries.ask(QUESTION)
  await reached('began')
  await timers.advance(20_000)
  allow('start', 'answer')
  expect(await answer).toEqual({ players: ANSWERED, usedMs: 0 })
})

it('says how long a game kept it busy, without the time of those before it', async () => {
  allow('start')
  const [first, second] = [queries.ask(QUESTION), queries.ask(QUESTION)]
  await reached('asked')
  await timers.advance(1_900)
  allow('answer')
  expect(await first).toEqual({ players: ANSWERED, usedMs: 1_900 })
  expect(await second).toEqual({ players: ANSWERED, usedMs: 0 })
})

it('replaces a process that hangs, which costs that answer only', async () => {
  allow('start')
  const [first, second] = [queries.ask(QUESTION), queries.ask(QUESTION)]
  await reached('asked')
  const hanging = queries.pid
  await timers.advance(6_000)
  expect(await first).toEqual({ players: null, usedMs: 6_000 })
  allow('answer')
  expect(await second).toEqual({ players: ANSWERED, usedMs: 0 })
  expect(queries.pid).not.toBe(hanging)
})

it('answers beside three games that keep theirs waiting', async () => {
  allow('start', 'answer-4')
  const pool = new QueryPool(place('program.mjs'), time)
  const order: number[] = []
  const ask = async (port: number) => {
    const { players } = await pool.ask({ ...QUESTION, port })
    order.push(port)
    return players
  }
  const slow = [1, 2, 3].map(ask)
  for (const port of [1, 2, 3]) await reached(`asked-${port}`)
  expect(await ask(4)).toEqual(ANSWERED)
  expect(order).toEqual([4])
  allow('answer')
  expect(await Promise.all(slow)).toEqual([ANSWERED, ANSWERED, ANSWERED])
  pool.close()
})

it('asks a new process after one that ended between two questions', async () => {
  allow('start', 'answer', 'end')
  expect(await queries.ask(QUESTION)).toMatchObject({ players: ANSWERED })
  await waitFor('the end of the process', () => queries.pid === undefined)
  expect(await queries.ask(QUESTION)).toMatchObject({ players: ANSWERED })
})

it('says nothing of a game if the process does not start, and tries again', async () => {
  const failed = queries.ask(QUESTION).catch((error: unknown) => String(error))
  await reached('began')
  await timers.advance(30_000)
  expect(await failed).toContain('does not start')
  writeFileSync(place('program.mjs'), 'process.exit(1)')
  await expect(queries.ask(QUESTION)).rejects.toThrow('does not start')
  writeFileSync(place('program.mjs'), PROGRAM)
  allow('start', 'answer')
  expect(await queries.ask(QUESTION)).toMatchObject({ players: ANSWERED })
})

it('ends ten seconds after the last answer', async () => {
  allow('start', 'answer')
  await queries.ask(QUESTION)
  await timers.advance(9_999)
  expect(queries.pid).toBeDefined()
  await timers.advance(1)
  expect(queries.pid).toBeUndefined()
})
