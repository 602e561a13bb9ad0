import { afterEach, beforeEach, expect, it } from 'vitest'

import { WAIT_FOR_WELCOME_MS } from '../../../../agents/servers/server-manager.ts'
import type { ServerSpec } from '../../../../src/contracts/agent/server-spec.ts'
import { nextId } from '../../../factories/server-spec.ts'
import { ServerRig } from '../../../support/server-rig.ts'
import { waitFor } from '../../../support/wait-for.ts'

let rig: ServerRig
beforeEach(async () => {
  rig = new ServerRig()
  await rig.agent()
})
afterEach(() => rig.remove())

const idOf = (index: number): string => `01990000-0000-7000-8000-0000000001${index.toString().padStart(2, '0')}`
const one = (index: number, change: Partial<ServerSpec> = {}): Partial<ServerSpec> => ({
  id: idOf(index),
  identifier: `acdefgh${'jkmnpqrtuvwx'[index] ?? 'z'}`,
  ...change,
})
const fleet = async (count: number): Promise<void> => {
  for (let index = 0; index < count; index += 1) {
    await rig.install(one(index))
    await rig.power('start', one(index))
  }
}
const states = (count: number) => Array.from({ length: count }, (_, index) => rig.state(idOf(index)))
const running = (count: number): number => states(count).filter((state) => state === 'running').length

it('starts what ran, and nothing else, after the machine was restarted (fault 33)', async () => {
  await fleet(4)
  await rig.power('stop', one(1))
  await rig.server(idOf(2)).writeLine('crash')
  await waitFor('the crash', () => rig.state(idOf(2)) === 'crashed')
  rig.server(idOf(2)).core.save({ restartAtMs: null })
  rig.reboot()
  await rig.agent()
  await rig.timers.advance(60_000)
  expect(states(4)).toEqual(['running', 'offline', 'crashed', 'running'])
  expect(rig.console(idOf(0))).toContain('The machine was restarted. The server starts again when its turn comes.')
  expect(rig.activities()).toEqual(['server:crashed'])
})

it('lets three start at a time, a second apart, and the next only when one is ready', async () => {
  await fleet(6)
  for (let index = 0; index < 6; index += 1) {
    const { core } = rig.server(idOf(index))
    core.save({ spec: rig.spec(one(index, { environment: { GAME_SLOW: '1' } })) })
  }
  rig.reboot()
  await rig.agent()
  const starting = () => states(6).filter((state) => state === 'starting').length
  await rig.timers.advance(0)
  expect(starting()).toBe(1)
  await rig.timers.advance(1_000)
  expect(starting()).toBe(2)
  await rig.timers.advance(20_000)
  expect(starting()).toBe(3)
  const first = states(6).indexOf('starting')
  await rig.server(idOf(first)).writeLine('done')
  await rig.timers.advance(1_000)
  expect([running(6), starting()]).toEqual([1, 3])
  // A server that never gets ready gives its place away in the end, so nobody waits for ever.
  await rig.timers.advance(130_000)
  expect(starting()).toBe(5)
})

it('starts no server that is suspended, moved away or not paid by the word of the welcome', async () => {
  await fleet(4)
  rig.reboot()
  const manager = await rig.agent({ welcomed: false })
  await rig.timers.advance(WAIT_FOR_WELCOME_MS - 1)
  expect(running(4)).toBe(0)
  manager.welcomed({
    servers: [
      { id: idOf(0), generation: 1, suspended: true },
      { id: idOf(1), generation: 1, expiresAtMs: rig.clock.now() },
      { id: idOf(3), generation: 1, suspended: false, expiresAtMs: rig.clock.now() + 3_600_000 },
    ],
    fenced: [{ id: idOf(2), generation: 2 }],
  })
  await rig.timers.advance(60_000)
  expect(states(4)).toEqual(['offline', 'offline', 'offline', 'running'])
})

it('waits no longer than fifteen seconds for the control plane [A12]', async () => {
  await fleet(2)
  rig.reboot()
  await rig.agent({ welcomed: false })
  await rig.timers.advance(WAIT_FOR_WELCOME_MS)
  await rig.timers.advance(5_000)
  expect(running(2)).toBe(2)
})

it('goes on with the starts that were due when the agent was killed on the way', async () => {
  await fleet(2)
  rig.reboot()
  await rig.agent({ welcomed: false })
  await rig.agent()
  await rig.timers.advance(10_000)
  expect(running(2)).toBe(2)
})

it('leaves a crashed server alone whose automatic start is switched off before its time', async () => {
  await fleet(2)
  for (const index of [0, 1]) {
    await rig.server(idOf(index)).writeLine('crash')
    await waitFor('the crash', () => rig.state(idOf(index)) === 'crashed')
  }
  const command = { id: nextId(), serverId: idOf(1), generation: 2, requestId: 'r', kind: 'update' } as const
  await rig.manager.execute({ ...command, spec: rig.spec(one(1, { generation: 2, autoStart: false })) })
  await rig.timers.advance(60_000)
  expect(states(2)).toEqual(['running', 'crashed'])
  // Neither does the next agent.
  await rig.agent()
  await rig.timers.advance(60_000)
  expect(states(2)).toEqual(['running', 'crashed'])
})

it('a stop that comes before its turn takes the start back', async () => {
  await fleet(1)
  rig.reboot()
  await rig.agent({ welcomed: false })
  await rig.power('stop', one(0))
  rig.manager.welcomed({ servers: [], fenced: [] })
  await rig.timers.advance(60_000)
  expect(rig.state(idOf(0))).toBe('offline')
})

it('a restart of the agent alone starts nothing and stops nothing (S-2)', async () => {
  await fleet(3)
  const begun = rig.world.begun.length
  await rig.agent()
  await rig.timers.advance(60_000)
  expect(running(3)).toBe(3)
  expect(rig.world.begun).toHaveLength(begun)
})

it('starts that the control plane asks for many servers take their turn, and a person overtakes them', async () => {
  for (let index = 0; index < 5; index += 1) await rig.install(one(index))
  const slow = (index: number) => one(index, { environment: { GAME_SLOW: '1' } })
  const paced = [0, 1, 2, 3, 4].map((index) => rig.power('start', slow(index), { paced: true }))
  await rig.timers.advance(10_000)
  expect(states(5).filter((state) => state === 'starting')).toHaveLength(3)
  expect(await rig.power('start', slow(4))).toMatchObject({ ok: true })
  expect(rig.state(idOf(4))).toBe('starting')
  expect(await paced[4]).toMatchObject({ ok: false, code: 'SUPERSEDED' })
  await rig.server(idOf(0)).writeLine('done')
  await rig.timers.advance(2_000)
  expect(await paced[3]).toMatchObject({ ok: true })
})

it('a start whose turn came at once has one end, and one that waits when the agent goes has none yet [A4]', async () => {
  for (let index = 0; index < 2; index += 1) await rig.install(one(index))
  const id = '01990000-0000-7000-9000-00000000f00d'
  await rig.power('start', one(0), { id, paced: true })
  await rig.power('stop', one(0))
  const ends = (of: string) =>
    rig.events.flatMap((event) => (event.kind === 'command.finished' && event.commandId === of ? [event.code] : []))
  expect(ends(id)).toEqual(['OK'])
  const waiting = '01990000-0000-7000-9000-00000000beef'
  await rig.agent({ welcomed: false })
  void rig.power('start', one(1), { id: waiting, paced: true })
  await rig.timers.advance(0)
  await rig.agent()
  expect(ends(waiting)).toEqual([])
  await rig.power('start', one(1), { id: waiting, paced: true })
  expect(ends(waiting)).toEqual(['OK'])
})
