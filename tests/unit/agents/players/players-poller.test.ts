import { afterEach, beforeEach, expect, it } from 'vitest'
import { silentLog } from '#platform/logger.ts'
import { PlayersPoller } from '../../../../agents/players/players-poller.ts'
import type { QueryQuestion } from '../../../../agents/players/question.ts'
import type { PlayerCount } from '../../../../src/contracts/agent/session.ts'
import type { PlayersCount } from '../../../../src/contracts/panel/players.ts'
import { ServerRig } from '../../../support/server-rig.ts'

const MINUTE = 60_000
const ANSWER: PlayersCount = { state: 'answered', online: 2, max: 20, names: ['a', 'b'] }
const PORT = 25_565
const QUERY = { query: { type: 'protocol-minecraftvanilla', port: null } }

let rig: ServerRig
let poller: PlayersPoller
let asked: QueryQuestion[]
let addressChecks: number
let answer: PlayersCount | null | Promise<PlayersCount | null>
let usedMs: number
let failure: Error | undefined
let told: (readonly PlayerCount[])[]

beforeEach(async () => {
  rig = new ServerRig()
  await rig.agent()
  await rig.install(QUERY)
  rig.world.listening.tcp.add(PORT)
  asked = []
  addressChecks = 0
  answer = ANSWER
  usedMs = 100
  failure = undefined
  told = []
  const { clock, timers } = rig
  poller = new PlayersPoller({
    clock,
    timers,
    log: silentLog,
    servers: () => rig.manager.all().map(({ core }) => core),
    isOwnAddress: () => {
      addressChecks += 1
      return true
    },
    ask: async (question) => {
      asked.push(question)
      if (failure !== undefined) throw failure
      return { players: await answer, usedMs }
    },
    tell: (counts) => void told.push(counts),
  })
  poller.start()
})
afterEach(() => {
  poller.stop()
  rig.remove()
})

const seen = () => poller.of(rig.server().core)

it('asks a running server once a minute, and a stopped one never', async () => {
  await rig.timers.advance(3 * MINUTE)
  expect([asked.length, seen()]).toEqual([0, { state: 'waiting' }])
  await rig.power('start', QUERY)
  await rig.timers.advance(3 * MINUTE)
  expect(asked.length).toBeGreaterThanOrEqual(3)
  expect(asked.length).toBeLessThanOrEqual(4)
  expect(asked[0]).toEqual({ type: 'protocol-minecraftvanilla', ip: '127.0.0.1', port: PORT })
  expect(seen()).toEqual(ANSWER)
  expect(poller.history(rig.server().core, 0)?.online.length).toBeGreaterThanOrEqual(3)
})

it('checks the address of a server only when its question is due', async () => {
  await rig.power('start', QUERY)
  await rig.timers.advance(10 * MINUTE)
  expect([asked.length > 8, addressChecks]).toEqual([true, asked.length])
})

it('asks a silent game less and less often, and says that it is silent', async () => {
  answer = null
  await rig.power('start', QUERY)
  await rig.timers.advance(60 * MINUTE)
  expect(seen()).toEqual({ state: 'silent' })
  // After 1, 2, 4, 8 and then every 10 minutes.
  expect(asked.length).toBeGreaterThan(6)
  expect(asked.length).toBeLessThan(12)
  expect(poller.history(rig.server().core, 0)?.times).toEqual([])
})

it.each([
  // Seldom enough that 1.9 s are a sixtieth of the time; an answer within a second is one of every minute.
  ['held back 1.9 s', ANSWER, 1_900, 60_000 / 1_900],
  ['given within a second', ANSWER, 900, 61],
  ['kept back by silence of 3.5 s', null, 3_500, 60 / 10 + 3],
] as const)('asks so often that an answer %s keeps the process busy for its share', async (_, said, tookMs, most) => {
  answer = said
  usedMs = tookMs
  await rig.power('start', QUERY)
  await rig.timers.advance(60 * MINUTE)
  expect(asked.length).toBeLessThanOrEqual(Math.ceil(most))
  expect(asked.length).toBeGreaterThan(most * 0.8)
  expect(seen()).toEqual(said ?? { state: 'silent' })
})

it('is not deceived by a game that answers in between', async () => {
  usedMs = 3_500
  await rig.power('start', QUERY)
  for (let look = 0; look < 60; look += 1) {
    answer = asked.length % 2 === 0 ? ANSWER : null
    await rig.timers.advance(MINUTE)
  }
  expect(asked.length).toBeLessThanOrEqual(Math.ceil(60_000 / 3_500))
})

it('takes no game for silent that could not be asked', async () => {
  await rig.power('start', QUERY)
  await rig.timers.advance(MINUTE)
  failure = new Error('The process that asks games does not start.')
  await rig.timers.advance(20 * MINUTE)
  expect(seen()).toEqual(ANSWER)
  // Every minute, as before.
  expect(asked.length).toBeGreaterThan(18)
})

it('sends nothing to a port at which the server does not listen', async () => {
  rig.world.listening.tcp.clear()
  await rig.power('start', QUERY)
  await rig.timers.advance(MINUTE)
  expect([asked, seen()]).toEqual([[], { state: 'silent' }])
})

it('forgets the answer of a program that has ended meanwhile', async () => {
  let say: (late: PlayersCount) => void = () => {}
  answer = new Promise((resolve) => {
    say = resolve
  })
  await rig.power('start', QUERY)
  await rig.timers.advance(MINUTE)
  expect(asked).toHaveLength(1)
  await rig.power('kill', QUERY)
  await rig.timers.advance(MINUTE)
  say(ANSWER)
  await rig.timers.advance(MINUTE)
  expect([seen(), poller.history(rig.server().core, 0)?.times]).toEqual([{ state: 'waiting' }, []])
})

it('tells the counts of answering games once a minute, and nothing of silent or stopped ones', async () => {
  await rig.power('start', QUERY)
  await rig.timers.advance(5 * MINUTE)
  expect(told.length).toBeGreaterThanOrEqual(4)
  expect(told.length).toBeLessThanOrEqual(5)
  expect(told.at(-1)).toEqual([{ serverId: rig.server().core.id, online: 2, max: 20 }])
  answer = null
  await rig.timers.advance(2 * MINUTE)
  told = []
  await rig.timers.advance(5 * MINUTE)
  expect(told).toEqual([])
  answer = ANSWER
  await rig.timers.advance(10 * MINUTE)
  expect(told.length).toBeGreaterThan(0)
  await rig.power('kill', QUERY)
  told = []
  await rig.timers.advance(5 * MINUTE)
  expect(told).toEqual([])
})
