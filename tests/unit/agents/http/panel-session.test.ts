import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { PanelSession, type PanelDeps, type PersonActivity } from '../../../../agents/http/panel-session.ts'
import type { ConsoleTokens } from '../../../../agents/http/console-token.ts'
import { CRASH_DELAYS_MS } from '../../../../agents/servers/crash-policy.ts'
import {
  PANEL_LIMITS,
  PanelClientMessage,
  type PanelClientEvent,
  type ProgramEnd,
} from '../../../../src/contracts/panel/messages.ts'
import { PERMISSION_OF_MESSAGE, PERMISSIONS, type Permission } from '../../../../src/contracts/panel/permissions.ts'
import type { ConsoleTokenClaims } from '../../../../src/contracts/panel/token.ts'
import { nextId, NODE_ID, SERVER_ID, USER_ID } from '../../../factories/server-spec.ts'
import { FakePanelSocket } from '../../../support/fake-panel-socket.ts'
import { ServerRig } from '../../../support/server-rig.ts'
import { waitFor } from '../../../support/wait-for.ts'

let rig: ServerRig
let socket: FakePanelSocket
let logged: PersonActivity[]

beforeEach(async () => {
  rig = new ServerRig()
  await rig.agent()
  await rig.install()
  socket = new FakePanelSocket()
  logged = []
})
afterEach(() => rig.remove())

const openSession = async (
  permissions: readonly Permission[] = PERMISSIONS,
  change: Partial<ConsoleTokenClaims> = {},
): Promise<PanelSession> => {
  const nowSeconds = Math.floor(rig.clock.now() / 1_000)
  const claims: ConsoleTokenClaims = {
    iss: 'bakter-control-plane',
    aud: NODE_ID,
    sub: USER_ID,
    sid: null,
    jti: nextId(),
    iat: nowSeconds,
    exp: nowSeconds + 600,
    purpose: 'console',
    server: SERVER_ID,
    permissions: [...permissions],
    address: '203.0.113.7',
    ...change,
  }
  const tokens: Pick<ConsoleTokens, 'read'> = {
    read: (token) => Promise.resolve(token === 'good' ? { ok: true, claims } : { ok: false, code: 'INVALID_TOKEN' }),
  }
  const deps: PanelDeps = {
    clock: rig.clock,
    timers: rig.timers,
    tokens,
    isRevoked: () => false,
    isPresent: () => true,
    admit: () => true,
    dismiss: () => {},
    latestStats: () => Promise.resolve('{}'),
    statsHistory: (_server, { fromMs, step }) => ({ fromMs, step, samples: [] }) as never,
    activity: (entry) => void logged.push(entry),
  }
  const session = new PanelSession(rig.server(), socket, deps)
  socket.onPing = () => session.ponged()
  session.received(JSON.stringify({ event: 'auth', args: ['good'] }))
  await rig.timers.advance(1)
  return session
}
const eventsOf = () => socket.events().map(({ event }) => event)
const statuses = () => socket.events().flatMap(({ event, args }) => (event === 'status' ? [args] : []))

describe('what a token allows', () => {
  /** Every event of the contract, once in each form that has a permission of its own. */
  const ARGS: Record<Exclude<PanelClientEvent, 'auth' | 'set state'>, unknown[]> = {
    'send command': ['list'],
    'send history': [{ before: 5, limit: 5 }],
    'send logs': [],
    'send stats': [],
    'send stats history': [{ fromMs: 0, step: 60 }],
  }
  const EVENTS = PanelClientMessage.options.map(({ shape }) => shape.event.value).filter((event) => event !== 'auth')
  const FORMS = EVENTS.flatMap((event): { event: string; args: unknown[]; needs: Permission | null }[] => {
    const row = PERMISSION_OF_MESSAGE[event]
    if (event === 'set state')
      return Object.entries(PERMISSION_OF_MESSAGE[event]).map(([action, needs]) => ({ event, args: [action], needs }))
    return [{ event, args: ARGS[event], needs: row as Permission | null }]
  })

  it('every message of the contract has a row, and no row is without a message', () => {
    expect(Object.keys(PERMISSION_OF_MESSAGE).toSorted()).toEqual(EVENTS.toSorted())
  })

  const forbiddenOf = () =>
    socket.events().flatMap(({ event, args }) => {
      const [reason] = event === 'daemon error' ? (args ?? []) : []
      return String(reason).startsWith('FORBIDDEN') ? [String(reason).slice('FORBIDDEN '.length)] : []
    })

  const refusalsWith = async (permissions: readonly Permission[], message: { event: string; args: unknown[] }) => {
    socket = new FakePanelSocket()
    const session = await openSession(permissions)
    session.received(JSON.stringify(message))
    await rig.timers.advance(1)
    return forbiddenOf()
  }

  it.each(FORMS)('$event $args.0 asks for $needs by its name, and for nothing else', async ({ event, args, needs }) => {
    for (const permission of PERMISSIONS) {
      const isEnough = needs === null || needs === permission
      expect([permission, await refusalsWith([permission], { event, args })]).toEqual([
        permission,
        isEnough ? [] : [needs],
      ])
    }
    const others = PERMISSIONS.filter((other) => other !== needs)
    expect(await refusalsWith(others, { event, args })).toEqual(needs === null ? [] : [needs])
  })
})

describe('who looks at the server as a collaborator', () => {
  it('reads the console and changes nothing, and the refusal says why', async () => {
    const session = await openSession(['console.read'], { seesAs: true })
    for (const message of [
      { event: 'send command', args: ['stop'] },
      { event: 'set state', args: ['stop'] },
    ])
      session.received(JSON.stringify(message))
    await rig.timers.advance(1)
    const refusals = socket.events().flatMap(({ event, args }) => (event === 'daemon error' ? (args ?? []) : []))
    expect(refusals).toEqual(['SEEING_AS', 'SEEING_AS'])
    expect(logged).toEqual([])
    session.received(JSON.stringify({ event: 'send history', args: [{ before: 5, limit: 5 }] }))
    await rig.timers.advance(1)
    expect(eventsOf()).toContain('console history')
  })
})

describe('the security log', () => {
  it('says of a command and of a power action who did it, from which address, in the panel, and to which server', async () => {
    const session = await openSession()
    for (const message of [
      { event: 'set state', args: ['start'] },
      { event: 'send command', args: ['say hi', 'one'] },
    ])
      session.received(JSON.stringify(message))
    await rig.timers.advance(1_000)
    const who = { userId: USER_ID, address: '203.0.113.7', way: 'panel', serverId: SERVER_ID }
    expect(logged).toEqual([{ ...who, type: 'server:power.start', detail: '' }])
    session.received(JSON.stringify({ event: 'send command', args: ['say hi', 'two'] }))
    await rig.timers.advance(1_000)
    expect(logged.at(-1)).toMatchObject(who)
    const script = await openSession(PERMISSIONS, { way: 'api' })
    script.received(JSON.stringify({ event: 'send command', args: ['say hi', 'three'] }))
    await rig.timers.advance(1_000)
    expect(logged.at(-1)).toMatchObject({ ...who, way: 'api' })
  })
})

describe('session of a per-server socket', () => {
  it('closes a reader that takes nothing from a full buffer with 4408, then drops it [P6]', async () => {
    await openSession()
    socket.answersPings = false
    socket.buffered = PANEL_LIMITS.bufferedBytes
    await rig.timers.advance(PANEL_LIMITS.slowForMs)
    expect(socket.closeCode).toBeUndefined()
    await rig.timers.advance(PANEL_LIMITS.slowForMs)
    expect(socket.closeCode).toBe(4408)
    expect(socket.isDropped).toBe(false)
    await rig.timers.advance(5_000)
    expect(socket.isDropped).toBe(true)
  })

  it('keeps a slow reader that takes something, and gives it no history on top of what waits [P6]', async () => {
    const session = await openSession()
    for (let beat = 1; beat < 5; beat += 1) {
      socket.buffered = PANEL_LIMITS.bufferedBytes + beat
      await rig.timers.advance(PANEL_LIMITS.slowForMs)
    }
    expect(socket.closeCode).toBeUndefined()
    session.received(JSON.stringify({ event: 'send history', args: [{ before: 5, limit: 5 }] }))
    session.received(JSON.stringify({ event: 'send stats history', args: [{ fromMs: 0, step: 60 }] }))
    expect(eventsOf().slice(-2)).toEqual(['throttled', 'throttled'])
  })

  it('drops a peer that answers no ping', async () => {
    await openSession()
    socket.answersPings = false
    await rig.timers.advance(2 * PANEL_LIMITS.slowForMs)
    expect(socket.isDropped).toBe(true)
  })

  it('sends its reader away to dial again when another node has the server [A15, case 131]', async () => {
    await openSession()
    rig.server().fence(2)
    expect(socket.closeCode).toBe(1012)
  })

  it('closes a flood that goes on, also when part of it fits the limits, after one notice [case 132]', async () => {
    const session = await openSession()
    const told = socket.sent.length
    for (let tenth = 0; tenth < 100 && socket.closeCode === undefined; tenth += 1) {
      for (let message = 0; message < 2; message += 1)
        session.received(JSON.stringify({ event: 'send stats', args: [] }))
      await rig.timers.advance(100)
    }
    expect(socket.closeCode).toBe(4400)
    expect(
      eventsOf()
        .slice(told)
        .filter((event) => event === 'throttled'),
    ).toHaveLength(1)
  })

  it('takes messages at the limits for as long as they come', async () => {
    const session = await openSession()
    for (let seconds = 0; seconds < 120; seconds += 1) {
      session.received(JSON.stringify({ event: 'send stats', args: [] }))
      await rig.timers.advance(1_000)
    }
    expect(socket.closeCode).toBeUndefined()
    expect(eventsOf()).not.toContain('throttled')
  })

  it('says and hears nothing after the end, whatever still arrives [case 131]', async () => {
    const session = await openSession()
    session.end(4401, 'revoked')
    const before = socket.sent.length
    for (const event of ['set state', 'send command']) {
      session.received(JSON.stringify({ event, args: [event === 'set state' ? 'start' : 'say x'] }))
    }
    session.received(JSON.stringify({ event: 'auth', args: ['good'] }))
    rig.server().core.tell({ text: 'news' })
    await rig.timers.advance(1_000)
    expect(socket.sent).toHaveLength(before)
    expect(rig.world.begun.filter((task) => !task.includes('-i'))).toEqual([])
  })

  it.each<[string, string, ProgramEnd]>([
    ['exit code', 'crash', { code: 42, signal: null, oom: false }],
    ['full memory', 'out of memory', { code: null, signal: 'SIGKILL', oom: true }],
  ])('tells an end that nobody asked for with its %s, and when it starts again [P19]', async (_name, line, end) => {
    await openSession()
    await rig.power('start')
    await rig.server().writeLine(line)
    await waitFor('the crash', () => rig.state() === 'crashed')
    expect(statuses()).toEqual([
      ['offline'],
      ['starting'],
      ['running'],
      ['crashed', { ...end, restartInMs: CRASH_DELAYS_MS[0] }],
    ])
    // A session that comes later is told the same, with the time that is left.
    await rig.timers.advance(1_000)
    socket = new FakePanelSocket()
    await openSession()
    expect(statuses()).toEqual([['crashed', { ...end, restartInMs: (CRASH_DELAYS_MS[0] ?? 0) - 1_000 }]])
  })

  it('tells of a server that stays down that nothing starts it again [P19]', async () => {
    await rig.power('start')
    for (const delayMs of [...CRASH_DELAYS_MS, 0]) {
      await rig.server().writeLine('crash')
      await waitFor('the crash', () => rig.state() === 'crashed')
      await rig.timers.advance(delayMs + 2_000)
      if (delayMs > 0) await waitFor('the start after the crash', () => rig.state() === 'running')
    }
    await openSession()
    expect(statuses()).toEqual([['crashed', { code: 42, signal: null, oom: false, restartInMs: null }]])
  })

  it('tells how a start failed that somebody asked for, and nothing of an end that was asked for [P19]', async () => {
    await openSession()
    await rig.power('start', { generation: 2, environment: { GAME_EXIT_ON_START: '7' } })
    await waitFor('the failed start', () => rig.state() === 'startup_failed')
    expect(statuses().at(-1)).toEqual(['startup_failed', { code: 7, signal: null, oom: false, restartInMs: null }])
    await rig.power('start', { generation: 3 })
    await rig.power('stop', { generation: 3 })
    expect(statuses().slice(-2)).toEqual([['stopping'], ['offline']])
  })
})
