import fs, { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { ControlPlaneConnection } from '../../../../agents/connection/control-plane-connection.ts'
import { NodeIdentity } from '../../../../agents/connection/identity.ts'
import { Outbox } from '../../../../agents/connection/outbox.ts'
import type { OutgoingListener } from '../../../../agents/connection/websocket.ts'
import { realDisk } from '../../../../agents/platform/disk.ts'
import { silentLog } from '#platform/logger.ts'
import {
  AGENT_HEARTBEAT_MS,
  type AgentCommand,
  type FromAgent,
  type ToAgent,
} from '../../../../src/contracts/agent/session.ts'
import { nextId, NODE_ID, SERVER_ID } from '../../../factories/server-spec.ts'
import { ManualClock } from '../../../setup/manual-clock.ts'
import { ManualTimers } from '../../../support/manual-timers.ts'

interface Dialled {
  readonly listener: OutgoingListener
  readonly sent: FromAgent[]
  ended: 'no' | 'closed' | 'dropped'
}

let folder: string
let clock: ManualClock
let timers: ManualTimers
let dials: Dialled[]
let commands: AgentCommand[]
let warnings: string[]
let identity: NodeIdentity
let outbox: Outbox
let connection: ControlPlaneConnection
let atWelcome: () => void

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bakter-connection-'))
  clock = new ManualClock()
  timers = new ManualTimers(clock)
  dials = []
  commands = []
  warnings = []
  atWelcome = () => {}
  identity = new NodeIdentity(realDisk, folder)
  identity.remember({ nodeId: NODE_ID, name: 'node' })
  outbox = new Outbox(path.join(folder, 'outbox'), { disk: realDisk, clock, log: silentLog })
  connection = new ControlPlaneConnection({
    url: 'http://control-plane.test',
    connect: (_url, listener) => {
      const dialled: Dialled = { listener, sent: [], ended: 'no' }
      dials.push(dialled)
      return {
        send: (text) => void dialled.sent.push(JSON.parse(text) as FromAgent),
        close: () => {
          dialled.ended = 'closed'
        },
        drop: () => {
          dialled.ended = 'dropped'
        },
      }
    },
    clock,
    timers,
    random: () => 1,
    log: { ...silentLog, warn: (_fields, message) => void warnings.push(message) },
    identity,
    outbox,
    agentVersion: '0',
    runtime: 'fake',
    resources: () => ({ memoryMiB: 1, storageMiB: 1, cores: 1 }),
    onLogin: () => {},
    tailOf: (serverId) => ({ atMs: 7, lines: [`said by ${serverId}`] }),
    onLost: () => {},
    observed: () => [],
    onWelcome: () => atWelcome(),
    onCommand: (command) => void commands.push(command),
    onKeys: () => {},
    onRevoke: () => {},
  })
  connection.open()
})
afterEach(() => {
  connection.close()
  outbox.close()
  rmSync(folder, { recursive: true, force: true })
})

const say = (message: ToAgent, dial = dials.at(-1)) => dial?.listener.received(JSON.stringify(message))
type WelcomeChange = { epoch?: number; acknowledgedSeq?: number; nowMs?: number; takesPlayers?: boolean }
const welcome = (change: WelcomeChange = {}): void => {
  dials.at(-1)?.listener.opened()
  say({ type: 'challenge', challenge: 'c'.repeat(43), protocol: 1 })
  const rest = { nowMs: clock.now(), siteOrigins: [], consoleKeys: [], servers: [] }
  say({ type: 'welcome', epoch: 1, acknowledgedSeq: 0, ...rest, ...change })
}
const accepted = () => ({ kind: 'command.accepted' as const, commandId: nextId(), serverId: SERVER_ID })
const deletion: AgentCommand = {
  id: nextId(),
  serverId: SERVER_ID,
  generation: 1,
  requestId: 'r',
  kind: 'delete',
  tombstone: true,
}

describe('connection to the control plane', () => {
  it('greets after the challenge only, and believes nothing before the welcome [A1]', () => {
    dials[0]?.listener.opened()
    expect(dials[0]?.sent).toEqual([])
    say({ type: 'command', command: deletion })
    expect(commands).toEqual([])
    welcome()
    expect(dials[0]?.sent[0]).toMatchObject({
      type: 'hello',
      nodeId: NODE_ID,
      capabilities: ['reinstall.wipe', 'console.tail'],
    })
    say({ type: 'command', command: deletion })
    expect(commands).toHaveLength(1)
  })

  it.each([
    ['does not know them', undefined, []],
    ['takes them, in messages of bounded size', true, [1_000, 1_000, 1]],
  ])('tells players to a control plane that %s [A27]', (_, takesPlayers, sizes) => {
    const counts = Array.from({ length: 2_001 }, () => ({ serverId: nextId(), online: 1, max: 8 }))
    connection.tellPlayers(counts)
    welcome(takesPlayers === undefined ? {} : { takesPlayers })
    connection.tellPlayers(counts)
    const told = (dials[0]?.sent ?? []).flatMap((message) => (message.type === 'players' ? [message.counts] : []))
    expect(told.map(({ length }) => length)).toEqual(sizes)
    expect(told.flat()).toEqual(sizes.length === 0 ? [] : counts)
  })

  it('tells the last lines of a console under the number of the question [A30]', () => {
    welcome()
    const id = nextId()
    say({ type: 'tail', id, serverId: SERVER_ID })
    expect(dials[0]?.sent.at(-1)).toEqual({ type: 'tail', id, tail: { atMs: 7, lines: [`said by ${SERVER_ID}`] } })
  })

  it('drops a session whose epoch a full disk does not take, and dials again [A9, fault 34]', async () => {
    const raise = vi.spyOn(identity, 'raiseEpoch').mockImplementation(() => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    })
    welcome({ epoch: 2 })
    expect([dials[0]?.ended, connection.isReady]).toEqual(['dropped', false])
    dials[0]?.listener.closed(1006, '')
    raise.mockRestore()
    await timers.advance(60_000)
    welcome({ epoch: 2 })
    expect([dials.length, connection.isReady, identity.epoch]).toEqual([2, true, 2])
  })

  it('tells of clocks that are more than 5 s apart, at the beginning and whenever one is set', async () => {
    const differing = () => warnings.filter((message) => message.startsWith('the clocks of node')).length
    const alarms = () => outbox.after(0).flatMap((event) => (event.kind === 'node.alarm' ? [event.alarm] : []))
    welcome()
    say({ type: 'beat', nowMs: clock.now() - 5_000 })
    expect(differing()).toBe(0)
    for (const offsetMs of [5_001, 6_000]) say({ type: 'beat', nowMs: clock.now() - offsetMs })
    expect([differing(), alarms()]).toEqual([1, ['clock-differs']])
    say({ type: 'beat', nowMs: clock.now() })
    say({ type: 'beat', nowMs: clock.now() + 3_600_000 })
    expect([differing(), alarms()]).toEqual([2, ['clock-differs', 'clock-differs']])
    dials[0]?.listener.closed(1006, '')
    await timers.advance(1_000)
    welcome({ nowMs: clock.now() - 6_000 })
    expect(differing()).toBe(3)
  })

  it('refuses a control plane with a lower epoch than it has served, also after a restart [A9]', () => {
    welcome({ epoch: 7 })
    expect(new NodeIdentity(realDisk, folder).epoch).toBe(7)
    dials[0]?.listener.closed(1006, '')
    void timers.advance(60_000)
    connection.open()
    welcome({ epoch: 6 })
    expect(dials.at(-1)?.ended).toBe('closed')
    expect(connection.isReady).toBe(false)
    say({ type: 'command', command: deletion })
    expect(commands).toEqual([])
  })

  it('sends what is not acknowledged after every reconnect, in order [A6]', async () => {
    connection.emit(accepted())
    connection.emit(accepted())
    welcome()
    const events = () => dials.at(-1)?.sent.flatMap((message) => (message.type === 'event' ? [message.event.seq] : []))
    expect(events()).toEqual([1, 2])
    say({ type: 'ack', seq: 1 })
    connection.emit(accepted())
    dials[0]?.listener.closed(1006, '')
    await timers.advance(600)
    expect(dials).toHaveLength(2)
    welcome({ acknowledgedSeq: 1 })
    expect(events()).toEqual([2, 3])
  })

  it('sends what waited before what the welcome itself brings about: a higher number would make all of it old [A6, A7]', () => {
    connection.emit(accepted())
    connection.emit(accepted())
    atWelcome = () => connection.emit(accepted())
    welcome()
    const events = dials.at(-1)?.sent.flatMap((message) => (message.type === 'event' ? [message.event.seq] : []))
    expect(events).toEqual([1, 2, 3])
  })

  it('says with its first beat that all that waited was sent, and what the welcome brings about comes after it [A24]', () => {
    connection.emit(accepted())
    atWelcome = () => connection.emit(accepted())
    welcome()
    expect(dials[0]?.sent.map(({ type }) => type)).toEqual(['hello', 'event', 'beat', 'event'])
  })

  it('goes on when the disk takes neither an acknowledgement nor a higher epoch [A23]', () => {
    connection.emit(accepted())
    const full = vi.spyOn(fs, 'openSync').mockImplementation(() => {
      throw new Error('ENOSPC')
    })
    welcome({ epoch: 9 })
    say({ type: 'ack', seq: 1 })
    say({ type: 'command', command: deletion })
    full.mockRestore()
    expect([connection.isReady, identity.epoch, commands.length, outbox.pending]).toEqual([true, 9, 1, 0])
    dials[0]?.listener.closed(1006, '')
    void timers.advance(60_000)
    connection.open()
    welcome({ epoch: 9 })
    expect(new NodeIdentity(realDisk, folder).epoch).toBe(9)
  })

  it('drops a peer that is silent for two beats, and dials again [A14]', async () => {
    welcome()
    await timers.advance(AGENT_HEARTBEAT_MS)
    expect(dials[0]?.sent.at(-1)).toMatchObject({ type: 'beat' })
    expect(dials[0]?.ended).toBe('no')
    await timers.advance(2 * AGENT_HEARTBEAT_MS)
    expect(dials[0]?.ended).toBe('dropped')
    dials[0]?.listener.closed(1006, '')
    await timers.advance(600)
    expect(dials).toHaveLength(2)
  })

  it('survives what it does not understand', () => {
    welcome()
    dials[0]?.listener.received('not json')
    dials[0]?.listener.received('{"type":"made up"}')
    expect(connection.isReady).toBe(true)
  })
})
