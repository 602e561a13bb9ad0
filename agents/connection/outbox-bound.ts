import { AGENT_SHUTDOWN_REQUEST, type AgentEvent } from '#contracts/agent/session.ts'

export interface OutboxLimits {
  readonly events: number
  readonly bytes: number
}

/** Hours of all events of a busy node; more can only be produced on purpose. */
export const OUTBOX_LIMITS: OutboxLimits = { events: 20_000, bytes: 16 * 1024 * 1024 }
/** The share kept after dropping events, so that the next event does not trigger the same work. */
const SHARE_LEFT = 0.9

export interface Waiting {
  readonly event: AgentEvent
  /** The size of its line in the file. */
  readonly bytes: number
}

type StateEvent = Extract<AgentEvent, { kind: 'server.state' }>

/** `starting` and `stopping` carry what people want of the server; those of the agent's own shutdown do not. */
const isWish = ({ server, requestId }: StateEvent): boolean =>
  server.state === 'starting' || (server.state === 'stopping' && requestId !== AGENT_SHUTDOWN_REQUEST)

/**
 * Events that a later one supersedes: an earlier state of a server, except its last start and last stop, and the
 * acceptance or an earlier result of a command that has been answered.
 */
const saidAgain = (waiting: readonly Waiting[]): Waiting[] => {
  const seen = new Set<string>()
  const isFirst = (key: string): boolean => {
    const first = !seen.has(key)
    seen.add(key)
    return first
  }
  return waiting
    .toReversed()
    .filter(({ event }) => {
      if (event.kind === 'command.finished') return !isFirst(`command ${event.commandId}`)
      if (event.kind === 'command.accepted') return seen.has(`command ${event.commandId}`)
      if (event.kind !== 'server.state') return false
      const isNewest = isFirst(`state ${event.server.id}`)
      const isLastWish = isWish(event) && isFirst(`${event.server.state} ${event.server.id}`)
      return !isNewest && !isLastWish
    })
    .toReversed()
}

/**
 * Activities of people and servers, from the server with the most waiting ones: nobody's flood displaces those of the
 * others.
 */
const fairActivities = function* (waiting: readonly Waiting[]): Generator<Waiting> {
  const ofServer = new Map<string, Waiting[]>()
  for (const entry of waiting) {
    if (entry.event.kind !== 'activity') continue
    const entries = ofServer.get(entry.event.serverId) ?? []
    entries.push(entry)
    ofServer.set(entry.event.serverId, entries)
  }
  const lines = [...ofServer.values()].map((entries) => ({ entries, next: 0 }))
  for (;;) {
    const left = ({ entries, next }: (typeof lines)[number]): number => entries.length - next
    const [longest] = lines.toSorted((a, b) => left(b) - left(a))
    const entry = longest?.entries[longest.next]
    if (longest === undefined || entry === undefined) return
    longest.next += 1
    yield entry
  }
}

const inTurn = function* (waiting: readonly Waiting[]): Generator<Waiting> {
  yield* saidAgain(waiting)
  yield* fairActivities(waiting)
  for (const entry of waiting)
    if (entry.event.kind === 'node.alarm' && entry.event.alarm !== 'events-dropped') yield entry
}

/**
 * Numbers of the events to drop to stay within the limits; none while all of them fit. Oldest first within each kind,
 * and never one that an order, a command or a server's state depends on: if only such events are left, they stay.
 */
export const eventsToDrop = (waiting: readonly Waiting[], limits: OutboxLimits): ReadonlySet<number> => {
  let count = waiting.length
  let bytes = waiting.reduce((sum, entry) => sum + entry.bytes, 0)
  const going = new Set<number>()
  if (count <= limits.events && bytes <= limits.bytes) return going
  for (const entry of inTurn(waiting)) {
    if (count <= limits.events * SHARE_LEFT && bytes <= limits.bytes * SHARE_LEFT) break
    going.add(entry.event.seq)
    count -= 1
    bytes -= entry.bytes
  }
  return going
}
