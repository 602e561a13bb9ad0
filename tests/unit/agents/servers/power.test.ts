import { CRASH_LINE_LENGTH, CRASH_LINES } from '../../../../src/contracts/agent/session.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { CRASH_DELAYS_MS } from '../../../../agents/servers/crash-policy.ts'
import { SLOW_START_MS } from '../../../../agents/servers/auto-start.ts'
import { nextId } from '../../../factories/server-spec.ts'
import { ServerRig } from '../../../support/server-rig.ts'
import { waitFor } from '../../../support/wait-for.ts'

let rig: ServerRig
beforeEach(async () => {
  rig = new ServerRig()
  await rig.agent()
  await rig.install()
})
afterEach(() => rig.remove())

const crashAndWait = async (delayMs: number): Promise<void> => {
  await rig.server().writeLine('crash')
  await waitFor('the crash', () => rig.state() === 'crashed')
  await rig.timers.advance(delayMs)
}

describe('crashes', () => {
  it('starts again after growing waits, then stays down and tells it', async () => {
    await rig.power('start')
    for (const delayMs of CRASH_DELAYS_MS) {
      await crashAndWait(delayMs - 1)
      expect(rig.state()).toBe('crashed')
      await rig.timers.advance(2_001)
      await waitFor('the start after the crash', () => rig.state() === 'running')
    }
    await crashAndWait(15 * 60_000)
    expect(rig.state()).toBe('crashed')
    expect(rig.console().at(-1)).toBe(
      'The server crashed 5 times within 15 minutes and stays stopped until someone starts it.',
    )
    expect(rig.console()).toContain('Crash 2 within 15 minutes: restarting in 15 s.')
    expect(rig.activities()).toEqual([...CRASH_DELAYS_MS.map(() => 'server:crashed'), 'server:crash-loop'])
    expect(rig.server().core.observed()).toMatchObject({ crashes: 5, restartAt: null })
  })

  it('tells exit code, signal and a full memory in console, state and activity', async () => {
    await rig.power('start')
    await rig.server().writeLine('out of memory')
    await waitFor('the crash', () => rig.state() === 'crashed')
    const text = 'The server stopped unexpectedly by SIGKILL, because it ran out of memory.'
    expect(rig.console()).toContain(text)
    expect(rig.server().core.observed().exit).toEqual({ code: null, signal: 'SIGKILL', oom: true })
    const activity = rig.events.find((event) => event.kind === 'activity')
    expect(activity).toMatchObject({ type: 'server:crashed', userId: null })
    expect(JSON.stringify(activity)).toContain(text)
  })

  it('sends the last lines of the program with a crash, and none of its own notes', async () => {
    await rig.power('start')
    for (let index = 1; index <= CRASH_LINES + 5; index += 1)
      await rig.server().writeLine(`say ${index} ${'x'.repeat(400)}`)
    await waitFor('the lines', () => rig.console().some((line) => line.includes(`${CRASH_LINES + 5} x`)))
    await rig.server().core.note({ text: 'A note of the node' })
    await rig.server().writeLine('out of memory')
    await waitFor('the crash', () => rig.state() === 'crashed')
    const activity = rig.events.find((event) => event.kind === 'activity')
    const lines = activity?.kind === 'activity' ? (activity.lines ?? []) : []
    expect(lines.length).toBe(CRASH_LINES)
    expect(Math.max(...lines.map(({ length }) => length))).toBe(CRASH_LINE_LENGTH)
    expect(lines.join()).toContain(` ${CRASH_LINES + 5} `)
    expect(lines.join()).not.toMatch(/A note of the node|stopped unexpectedly/)
  })

  it('goes on with its back-off when a start of its own fails', async () => {
    await rig.power('start')
    await crashAndWait(0)
    rig.server().core.save({ spec: rig.spec({ environment: { GAME_EXIT_ON_START: '7' } }) })
    await rig.timers.advance(CRASH_DELAYS_MS[0] ?? 0)
    await waitFor('the failed start', () => rig.state() === 'startup_failed')
    expect(rig.server().core.record).toMatchObject({ exit: { code: 7 }, byItself: true })
    rig.server().core.save({ spec: rig.spec() })
    await rig.timers.advance((CRASH_DELAYS_MS[1] ?? 0) + 2_000)
    await waitFor('the start', () => rig.state() === 'running')
  })

  it('leaves a start that a person asked for failed, with its exit code', async () => {
    await rig.power('start', { environment: { GAME_EXIT_ON_START: '7' } })
    await waitFor('the failed start', () => rig.state() === 'startup_failed')
    await rig.timers.advance(15 * 60_000)
    expect(rig.state()).toBe('startup_failed')
    expect(rig.console()).toContain('The server stopped before it was ready, with exit code 7.')
    expect(rig.activities()).toEqual(['server:start-failed'])
  })

  it('counts anew after a start that a person asked for, and not once more after a stop', async () => {
    await rig.power('start')
    await crashAndWait(0)
    expect(await rig.power('start')).toMatchObject({ ok: true })
    expect(rig.server().core.record.crashes).toEqual([])
    await crashAndWait(0)
    await rig.power('stop')
    await rig.timers.advance(15 * 60_000)
    expect(rig.state()).toBe('crashed')
  })

  it('does not start a suspended or expired server again', async () => {
    await rig.power('start', { expiresAtMs: rig.clock.now() + 1_000 })
    await crashAndWait(15 * 60_000)
    expect(rig.state()).toBe('crashed')
    expect(rig.server().core.record.restartAtMs).toBeNull()
  })
})

describe('stopping', () => {
  it('takes the word for stopping in the console for a stop and not for a crash', async () => {
    await rig.power('start')
    expect(await rig.server().writeLine('stop')).toMatchObject({ ok: true })
    await waitFor('the end', () => rig.state() === 'offline')
    expect(rig.activities()).toEqual([])
  })

  it('lets a kill past a stop that hangs, and past what waits behind it', async () => {
    await rig.power('start')
    await rig.server().writeLine('deaf')
    const stopping = rig.power('stop')
    await waitFor('the stop', () => rig.state() === 'stopping')
    const restarting = rig.power('restart')
    expect(await rig.power('kill')).toMatchObject({ ok: true })
    expect(await stopping).toMatchObject({ ok: true })
    expect(await restarting).toMatchObject({ ok: false, code: 'SUPERSEDED' })
    expect(rig.state()).toBe('offline')
  })

  it('is one request however often its id comes [A4]', async () => {
    const id = nextId()
    await Promise.all([rig.power('start', {}, { id }), rig.power('start', {}, { id })])
    await rig.power('start', {}, { id })
    expect(rig.world.begun.filter((task) => !task.includes('-i'))).toHaveLength(1)
  })
})

describe('starting', () => {
  it('tells once that a start takes long, also over a restart of the agent', async () => {
    await rig.power('start', { environment: { GAME_SLOW: '1' } })
    await rig.timers.advance(SLOW_START_MS - 1)
    expect(rig.activities()).toEqual([])
    await rig.timers.advance(1)
    expect(rig.activities()).toEqual(['server:start-slow'])
    await rig.agent()
    await rig.timers.advance(SLOW_START_MS)
    expect(rig.activities()).toEqual(['server:start-slow'])
  })

  it('says in the console that a done text does not compile, and finds it as text', async () => {
    await rig.power('start', { doneTexts: ['regex:Done! The game (is open'] })
    expect(rig.console().join()).toContain("isn't a valid expression, so it is matched literally")
    expect(rig.state()).toBe('starting')
    await rig
      .server()
      .core.deps.driver.writeLine(
        rig.server().core.record.task ?? rig.server().core.handle('none', 'server'),
        rig.server().core.layout,
        'say regex:Done! The game (is open',
      )
    expect(rig.state()).toBe('running')
  })
})
