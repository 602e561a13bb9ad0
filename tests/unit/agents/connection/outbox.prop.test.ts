import fs, { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import fc from 'fast-check'
import { expect, it, vi } from 'vitest'

import { Outbox } from '../../../../agents/connection/outbox.ts'
import type { OutboxEvent } from '../../../../agents/connection/storable-event.ts'
import { realDisk, type Disk } from '../../../../agents/platform/disk.ts'
import { silentLog } from '#platform/logger.ts'
import { AGENT_SHUTDOWN_REQUEST, type AgentEvent } from '../../../../src/contracts/agent/session.ts'
import { nextId } from '../../../factories/server-spec.ts'
import { ManualClock } from '../../../setup/manual-clock.ts'

const LIMITS = { events: 40, bytes: 12_000 }
const STATES = ['starting', 'running', 'stopping', 'offline', 'crashed'] as const
const SERVERS = ['a', 'b', 'c'].map(() => nextId())
const COMMANDS = Array.from({ length: 8 }, () => nextId())

type Step =
  | { readonly do: 'activity'; readonly server: number; readonly length: number; readonly times: number }
  | { readonly do: 'state'; readonly server: number; readonly state: number; readonly shutdown: boolean }
  | { readonly do: 'accepted' | 'finished'; readonly command: number }
  | { readonly do: 'alarm' | 'connect' | 'cut' | 'restart' | 'full' | 'room' }
  | { readonly do: 'deliver' | 'acks'; readonly times: number }

const named = <const Name extends string>(name: Name, weight: number, rest: object = {}) => ({
  weight,
  arbitrary: fc.record({ do: fc.constant(name), ...rest }) as unknown as fc.Arbitrary<Step>,
})
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    named('activity', 6, { server: fc.nat(2), length: fc.nat(400), times: fc.integer({ min: 1, max: 12 }) }),
    named('state', 4, { server: fc.nat(2), state: fc.nat(4), shutdown: fc.boolean() }),
    named('accepted', 1, { command: fc.nat(7) }),
    named('finished', 1, { command: fc.nat(7) }),
    ...(['alarm', 'connect', 'cut', 'restart', 'full', 'room'] as const).map((name) => named(name, 1)),
    named('deliver', 3, { times: fc.integer({ min: 1, max: 60 }) }),
    named('acks', 2, { times: fc.integer({ min: 1, max: 60 }) }),
  ),
  { minLength: 10, maxLength: 120 },
)

const textOf = ({ seq: _seq, atMs: _atMs, ...event }: AgentEvent): string => JSON.stringify(event)

/** A node with its outbox, a control plane that stores each number once, and the wire between them that is cut at any place. */
class World {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'bakter-outbox-prop-'))
  readonly #clock = new ManualClock()
  readonly #killed: Outbox[] = []
  #outbox = this.#open()
  isFull = false
  /** Every event that was ever said, in order. */
  readonly said: string[] = []
  readonly stored: AgentEvent[] = []
  #acknowledged = 0
  missing = 0
  mayHaveGaps = false
  /** The highest number that the outbox was told is stored. */
  known = 0
  #isConnected = false
  #flying: AgentEvent[] = []
  #acks: number[] = []
  #count = 0

  #open(): Outbox {
    const disk: Disk = {
      ...realDisk,
      writeAtomically: (file, text) => {
        if (this.isFull) throw new Error('ENOSPC')
        realDisk.writeAtomically(file, text)
      },
    }
    return new Outbox(this.#folder, { disk, clock: this.#clock, log: silentLog, limits: LIMITS })
  }

  end(): void {
    for (const outbox of [...this.#killed, this.#outbox]) outbox.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #say(event: OutboxEvent): void {
    const stored = this.#outbox.append(event)
    this.said.push(textOf(stored))
    if (!this.#isConnected) return
    this.#outbox.sent(stored.seq)
    this.#flying.push(stored)
  }

  do(step: Step): void {
    this.#clock.advance(6_000)
    if (step.do === 'activity')
      for (let time = 0; time < step.times; time += 1) {
        const detail = `${(this.#count += 1)} ${'x'.repeat(step.length)}`
        this.#say({ kind: 'activity', serverId: SERVERS[step.server] ?? '', userId: null, type: 'server:x', detail })
      }
    if (step.do === 'state') this.#state(step)
    const ids = { commandId: 'command' in step ? (COMMANDS[step.command] ?? '') : '', serverId: SERVERS[0] ?? '' }
    if (step.do === 'accepted') this.#say({ kind: 'command.accepted', ...ids })
    if (step.do === 'finished') this.#say({ kind: 'command.finished', ...ids, ok: true, code: 'OK', detail: '' })
    if (step.do === 'alarm') this.#say({ kind: 'node.alarm', alarm: 'clock-differs', detail: `${(this.#count += 1)}` })
    if (step.do === 'connect') this.#connect()
    if (step.do === 'cut') this.#cut()
    if (step.do === 'deliver') for (const event of this.#flying.splice(0, step.times)) this.#store(event)
    if (step.do === 'acks') for (const seq of this.#acks.splice(0, step.times)) this.#acknowledge(seq)
    if (step.do === 'full') this.isFull = true
    if (step.do === 'room') this.isFull = false
    // An event that the disk never took does not survive the agent.
    if (step.do === 'restart' && !this.isFull) this.#restart()
  }

  #acknowledge(seq: number): void {
    this.known = Math.max(this.known, seq)
    this.#outbox.acknowledge(seq)
  }

  #state({ server, state, shutdown }: Extract<Step, { do: 'state' }>): void {
    const observed = {
      id: SERVERS[server] ?? '',
      generation: 1,
      state: STATES[state] ?? 'offline',
      exit: null,
      installed: true,
      since: (this.#count += 1),
    }
    const requestId = shutdown ? AGENT_SHUTDOWN_REQUEST : null
    this.#say({ kind: 'server.state', server: observed, requestId })
  }

  #connect(): void {
    this.#cut()
    this.#isConnected = true
    // A disk that takes nothing at this time cannot close the numbers up: the control plane sees the gaps itself.
    this.mayHaveGaps ||= this.isFull
    this.known = this.#acknowledged
    this.#flying = [...this.#outbox.resume(this.#acknowledged)]
  }

  #cut(): void {
    this.#isConnected = false
    this.#flying = []
    this.#acks = []
  }

  #restart(): void {
    this.#cut()
    this.#outbox.flush()
    // As after kill -9: nothing is said goodbye to. Handles that a kernel would close for the killed are closed at the end.
    this.#killed.push(this.#outbox)
    this.#outbox = this.#open()
  }

  #store(event: AgentEvent): void {
    this.#acks.push(event.seq)
    if (event.seq <= this.#acknowledged) throw new Error(`The number ${event.seq} was sent twice in one session.`)
    this.missing += event.seq - this.#acknowledged - 1
    this.#acknowledged = event.seq
    this.stored.push(event)
  }

  /** Everything that waits reaches the control plane. */
  settle(): void {
    this.isFull = false
    this.#clock.advance(6_000)
    this.#outbox.flush()
    this.#connect()
    for (const event of this.#flying.splice(0)) this.#store(event)
    this.#cut()
  }

  get outbox(): Outbox {
    return this.#outbox
  }
}

const isNotice = (event: AgentEvent) => event.kind === 'node.alarm' && event.alarm === 'events-dropped'
const countsOf = (events: readonly AgentEvent[]): number[] =>
  events.flatMap((event) => (event.kind === 'node.alarm' && event.count !== undefined ? [event.count] : []))
const lastOf = (texts: readonly string[], fits: (event: AgentEvent) => boolean): string | undefined =>
  texts.findLast((text) => fits(JSON.parse(text) as AgentEvent))

const check = (world: World): void => {
  const told = world.stored.filter((event) => !isNotice(event)).map(textOf)
  // Each at most once and in the order in which it was said.
  let at = -1
  for (const text of told) {
    const next = world.said.indexOf(text, at + 1)
    expect(next).toBeGreaterThan(at)
    at = next
  }
  const counted = countsOf(world.stored).reduce((sum, count) => sum + count, 0)
  expect(told.length + counted + world.missing).toBe(world.said.length)
  if (!world.mayHaveGaps) expect(world.missing).toBe(0)
  for (const id of COMMANDS) {
    const isOf = (event: AgentEvent) => event.kind === 'command.finished' && event.commandId === id
    expect(lastOf(told, isOf)).toBe(lastOf(world.said, isOf))
  }
  for (const id of SERVERS) {
    const isOf = (event: AgentEvent) => event.kind === 'server.state' && event.server.id === id
    expect(lastOf(told, isOf)).toBe(lastOf(world.said, isOf))
    for (const state of ['starting', 'stopping']) {
      const isWish = (event: AgentEvent) =>
        event.kind === 'server.state' &&
        event.server.id === id &&
        event.server.state === state &&
        (state === 'starting' || event.requestId !== AGENT_SHUTDOWN_REQUEST)
      expect(lastOf(told, isWish)).toBe(lastOf(world.said, isWish))
    }
  }
}

// Each step of 150 stories is written to the disk, which takes long beside other work.
it(
  'keeps to its limits, keeps what states and orders depend on, and tells exactly how many had to go [A6, A7, A22]',
  { timeout: 120_000 },
  () => {
    const write = fs.writeSync
    fc.assert(
      fc.property(steps, (story) => {
        const world = new World()
        const spy = vi.spyOn(fs, 'writeSync').mockImplementation(((...args: Parameters<typeof write>) => {
          if (world.isFull) throw new Error('ENOSPC')
          return write(...args)
        }) as typeof write)
        try {
          for (const step of story) {
            world.do(step)
            // The events that tell of the others come on top, and after a restart the acknowledged ones that the file still
            // has, until the next event or session.
            const own = world.outbox.after(world.known).filter((event) => !isNotice(event))
            // The outbox never drops three states of each server and the answers to each command.
            const mustStay = 3 * SERVERS.length + 2 * COMMANDS.length
            expect(own.length).toBeLessThanOrEqual(Math.max(LIMITS.events, mustStay))
            const bytes = own.reduce((sum, event) => sum + JSON.stringify(event).length + 1, 0)
            expect(bytes).toBeLessThanOrEqual(LIMITS.bytes)
          }
          world.settle()
          check(world)
        } finally {
          spy.mockRestore()
          world.end()
        }
      }),
      { numRuns: 150 },
    )
  },
)
