import * as z from 'zod'
import { CLOSE_CODES } from '#contracts/close-codes.ts'
import { AGENT_HEARTBEAT_MS, AGENT_PROTOCOL_VERSION, FromAgent, type ToAgent } from '#contracts/agent/session.ts'
import { answerLogin, type LoginMessage, type SiteLogins } from '../access/file-logins.ts'
import { recentlyEnded } from '../access/end-sessions.ts'
import type { Socket, UpgradeRoute } from '../../platform/sockets/socket.ts'
import type { Context } from '../../platform/context.ts'
import type { BusEvent, EventBus } from '../../platform/event-bus.ts'
import { RevokedConsole } from '../../platform/outbox-topics.ts'
import type { ObserveDeps } from '../provisioning/observe.ts'
import { isRefusedValue } from '#platform/postgres/sql-state.ts'
import { failCommand } from '../provisioning/fail-command.ts'
import { takeUndelivered } from '../store/command-store.ts'
import { storePlayerCounts } from '../store/player-counts.ts'
import { AgentPlaces } from './agent-places.ts'
import { questionOf, TailQuestions, tellTail } from './console-tail.ts'
import { helloRefusal, type SessionState } from './agent-session.ts'
import { openSession, nodeForHello, welcomeFor } from './open-session.ts'
import { endBacklog, releaseLease, renewLeases, type Lease } from './session-lease.ts'
import { storeEvent, type UnreadableEvent } from './store-event.ts'
import { readJsonText } from '#platform/json-text.ts'

export const HUB_TIMING = {
  beatMs: AGENT_HEARTBEAT_MS,
  /** Missed heartbeats after which an agent counts as gone (SPEC.md A14). */
  silentBeats: 2,
  renewMs: 5_000,
  helloMs: 10_000,
  /** How long a session may take to send its node's backlog (SPEC.md A24). */
  backlogMs: 300_000,
}
const MAX_FRAME_BYTES = 4 * 1024 * 1024
/** Messages queued in memory before the agent is slowed down. */
const MAX_WAITING = 64

export type HubDeps = Context &
  ObserveDeps & {
    bus: EventBus
    /** Identifies this process in the leases. */
    holder: string
    siteOrigins: readonly string[]
    siteLogins: SiteLogins
    /** Reconciles a server soon, because its node reported something new. */
    reconcile: (serverId: string, requestId: string) => Promise<unknown>
    /** Reconciles every server of a node that differs from its desired state. */
    reconcileNode: (nodeId: string) => Promise<unknown>
    timing?: Partial<typeof HUB_TIMING>
  }

type Session = {
  readonly socket: Socket
  /** The node that proved itself in the handshake. */
  readonly provenNodeId: string | undefined
  state: SessionState
  readonly questions: TailQuestions
  silentBeats: number
  /** The node has not sent its backlog completely. */
  isBehind: boolean
  waiting: number
  work: Promise<void>
}
type LiveState = Extract<SessionState, { phase: 'live' }>

/**
 * An event of which only the number can be parsed. It is skipped: if it were repeated, it would block every later event
 * of its node. Its information arrives with the full state of the next hello (SPEC.md A6, A8).
 */
const UnreadableMessage = z.object({ type: z.literal('event'), event: z.object({ seq: z.int().min(1) }) })
const NodeMessage = z.object({ nodeId: z.uuid() })
const Superseded = z.object({ nodeId: z.uuid(), sessionId: z.uuid() })

/** Holds the sessions of agents connected to this process. Rules: SPEC.md, section A. */
export class AgentHub {
  readonly #deps: HubDeps
  readonly #timing: typeof HUB_TIMING
  readonly #places: AgentPlaces
  readonly #sessions = new Set<Session>()
  readonly #timers: NodeJS.Timeout[]
  readonly #leave: (() => void)[]
  readonly #background = new Set<Promise<unknown>>()

  constructor(deps: HubDeps) {
    this.#deps = deps
    this.#timing = { ...HUB_TIMING, ...deps.timing }
    this.#places = new AgentPlaces(deps)
    this.#leave = [deps.bus.onEvent((event) => this.#onBus(event)), deps.bus.onGap(() => this.#onGap())]
    this.#timers = [
      setInterval(() => this.#beat(), this.#timing.beatMs),
      setInterval(() => this.#run(this.#renew()), this.#timing.renewMs),
    ]
  }

  get route(): UpgradeRoute {
    return {
      maxFrameBytes: MAX_FRAME_BYTES,
      answer: async ({ origin, address, proof }) => {
        // A web page could use its visitors' addresses to fill the places for unknown connections (SPEC.md A21).
        if (origin !== undefined) return { refuse: 403, reason: 'origin' }
        const nodeId = await this.#places.provenNode(proof, address)
        const unknown = [...this.#sessions].filter(({ state }) => state.phase === 'challenged')
        if (!this.#places.hasRoomFor({ socket: { address }, provenNodeId: nodeId }, unknown))
          return { refuse: 503, reason: 'too many unknown agents' }
        return { accept: (socket) => this.accept(socket, nodeId) }
      },
    }
  }

  /** Sends the first message: the challenge (SPEC.md A1). */
  accept(socket: Socket, provenNodeId?: string): void {
    const challenge = Buffer.from(this.#deps.ids.bytes(32)).toString('base64url')
    const session: Session = {
      socket,
      provenNodeId,
      state: { phase: 'challenged', challenge },
      questions: new TailQuestions(),
      silentBeats: 0,
      isBehind: true,
      waiting: 0,
      work: Promise.resolve(),
    }
    this.#sessions.add(session)
    const timer = setTimeout(() => {
      if (session.state.phase === 'challenged') this.#end(session, CLOSE_CODES.protocol, 'no hello')
    }, this.#timing.helloMs)
    socket.onMessage((text) => this.#queue(session, text))
    socket.onClose(() => {
      clearTimeout(timer)
      this.#closed(session)
    })
    this.#send(session, { type: 'challenge', challenge, protocol: AGENT_PROTOCOL_VERSION })
  }

  /** Ends every session with 1012 and waits for pending writes. The leases keep their grace. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    for (const leave of this.#leave) leave()
    const sessions = [...this.#sessions]
    for (const session of sessions) this.#end(session, CLOSE_CODES.restart, 'restart')
    await Promise.all(sessions.map((session) => session.work))
    await Promise.all(this.#background)
  }

  #send(session: Session, message: ToAgent): void {
    session.socket.send(JSON.stringify(message))
  }

  /** Background work, awaited only at shutdown. */
  #run(work: Promise<unknown>): void {
    const guarded = work.catch((error: Error) =>
      this.#deps.log.error({ reason: error.message }, 'the agent hub failed'),
    )
    this.#background.add(guarded)
    void guarded.finally(() => this.#background.delete(guarded))
  }

  /** One message after another: events are handled in the order of their numbers. */
  #queue(session: Session, text: string): void {
    session.silentBeats = 0
    session.waiting += 1
    if (session.waiting === MAX_WAITING) session.socket.pause()
    session.work = session.work
      .then(() => this.#handle(session, text))
      .catch((error: Error) => {
        // The agent reconnects and repeats unacknowledged events.
        this.#deps.log.error({ reason: error.message }, 'a message of an agent could not be stored')
        this.#end(session, 1011, 'not stored')
      })
      .then(() => {
        session.waiting -= 1
        if (session.waiting === MAX_WAITING / 2) session.socket.resume()
      })
  }

  async #handle(session: Session, text: string): Promise<void> {
    const { state } = session
    if (state.phase === 'closed') return
    const raw = readJsonText(text)
    const parsed = FromAgent.safeParse(raw)
    if (!parsed.success) {
      const unreadable = UnreadableMessage.safeParse(raw)
      if (state.phase !== 'live' || !unreadable.success)
        return this.#end(session, CLOSE_CODES.protocol, 'unknown message')
      const problem = parsed.error.issues[0]?.message ?? ''
      return this.#event(session, state, { kind: 'unreadable', seq: unreadable.data.event.seq, problem })
    }
    const message = parsed.data
    if (state.phase === 'challenged') {
      if (message.type !== 'hello') return this.#end(session, CLOSE_CODES.protocol, 'hello first')
      return this.#hello(session, message, state.challenge)
    }
    if (message.type === 'event') return this.#event(session, state, message.event)
    // Not in turn: a password and a console take a while, and the node's events do not wait for them.
    if (message.type === 'login' || message.type === 'logins') return this.#run(this.#login(session, state, message))
    if (message.type === 'tail') return this.#run(tellTail(this.#deps, { ...state, ...session }, message))
    if (message.type === 'hello') return this.#end(session, CLOSE_CODES.protocol, 'one hello')
    if (message.type === 'players')
      return storePlayerCounts(this.#deps, { nodeId: state.nodeId, counts: message.counts })
    if (session.isBehind) return this.#backlogEnded(session, state)
  }

  async #login(session: Session, { nodeId }: LiveState, message: LoginMessage): Promise<void> {
    const answer = await answerLogin(this.#deps, nodeId, message)
    if (answer !== undefined) this.#send(session, answer)
  }

  /** Messages are handled one after another: everything before the first heartbeat is stored. */
  async #backlogEnded(session: Session, state: LiveState): Promise<void> {
    await endBacklog(this.#deps.db, state)
    session.isBehind = false
    this.#run(this.#deps.reconcileNode(state.nodeId))
  }

  /** A node that never completes its backlog must not block the starts of its servers for ever. */
  async #endLateBacklogs(): Promise<void> {
    const nowMs = this.#deps.clock.now()
    for (const { session, state } of this.#live()) {
      if (!session.isBehind || nowMs - state.connectedAtMs < this.#timing.backlogMs) continue
      this.#deps.metrics.agentAlarms.inc({ kind: 'backlog-late' })
      this.#deps.log.error({ nodeId: state.nodeId }, 'a node does not hand over what happened while it was away')
      await this.#backlogEnded(session, state)
    }
  }

  async #hello(session: Session, hello: Extract<FromAgent, { type: 'hello' }>, challenge: string): Promise<void> {
    const { log, metrics, clock } = this.#deps
    const { node, epoch } = await nodeForHello(this.#deps.db, hello.nodeId)
    const refusal = helloRefusal(hello, { publicKey: node?.publicKey, challenge, epoch })
    if (refusal || !node) {
      log.warn({ nodeId: hello.nodeId, address: session.socket.address, code: refusal?.code }, 'an agent was refused')
      metrics.agentAlarms.inc({ kind: 'refused' })
      if (refusal) this.#send(session, { type: 'refused', ...refusal })
      return this.#end(session, CLOSE_CODES.ended, refusal?.code ?? 'refused')
    }
    const sessionId = this.#deps.ids.next()
    const connectedAtMs = clock.now()
    const fenced = await openSession(this.#deps, { hello, sessionId, connectedAtMs, epoch })
    const welcome = await welcomeFor(this.#deps, { nodeId: node.id, epoch, fenced })
    if (session.state.phase === 'closed')
      return releaseLease(this.#deps.db, { nodeId: node.id, sessionId }, clock.now())
    this.#closeOlder(node.id, session)
    session.state = { phase: 'live', nodeId: node.id, sessionId, connectedAtMs }
    metrics.sockets.inc({ kind: 'agent' })
    log.info(
      { nodeId: node.id, sessionId, servers: hello.servers.length, version: hello.agentVersion },
      'an agent connected',
    )
    // No await since the session went live: a command sent before the welcome would be rejected and lost.
    this.#send(session, welcome)
    await this.#deps.bus.publish({ topic: 'agent-superseded', data: { nodeId: node.id, sessionId } })
    await this.#repeatEndedSessions(session)
    await this.#deliver(session)
    this.#run(this.#deps.reconcileNode(node.id))
  }

  async #event(
    session: Session,
    state: LiveState,
    event: Extract<FromAgent, { type: 'event' }>['event'] | UnreadableEvent,
  ): Promise<void> {
    const { nodeId, sessionId } = state
    const from = { nodeId, sessionId }
    const stored = await storeEvent(this.#deps, { ...from, event }).catch((error: unknown) => {
      if (!isRefusedValue(error)) throw error
      const problem = error instanceof Error ? error.message : ''
      return storeEvent(this.#deps, { ...from, event: { kind: 'unreadable', seq: event.seq, problem } })
    })
    if (stored.kind === 'superseded') return this.#supersede(session)
    await this.#deps.faults('hub.before-ack')
    this.#send(session, { type: 'ack', seq: stored.kind === 'stored' ? event.seq : stored.acknowledgedSeq })
    if (stored.kind !== 'stored') return
    for (const { serverId, requestId } of stored.touched) this.#run(this.#deps.reconcile(serverId, requestId))
  }

  #onBus({ topic, data }: BusEvent): void {
    const asked = questionOf({ topic, data })
    if (asked)
      for (const session of this.#liveOf(asked.nodeId)) this.#send(session, session.questions.asked(asked.message))
    if (topic === 'commands-waiting') {
      const message = NodeMessage.safeParse(data)
      if (message.success) for (const session of this.#liveOf(message.data.nodeId)) this.#run(this.#deliver(session))
    }
    if (topic === 'agent-superseded') {
      const message = Superseded.safeParse(data)
      if (!message.success) return
      for (const { state } of this.#liveOf(message.data.nodeId))
        if (state.phase === 'live' && state.sessionId !== message.data.sessionId) this.#run(this.#renew())
    }
    if (topic === 'console-revoked') {
      const message = RevokedConsole.safeParse(data)
      if (!message.success) return
      const { nodeId, ...revoked } = message.data
      const sessions = nodeId === null ? this.#live().map(({ session }) => session) : this.#liveOf(nodeId)
      for (const session of sessions) this.#send(session, { type: 'revoke', ...revoked })
    }
  }

  /** Events may have been missed: their state is read from the database. */
  #onGap(): void {
    this.#deliverAll()
    for (const { session } of this.#live()) this.#run(this.#repeatEndedSessions(session))
  }

  /** A node back from an outage, or a bus gap, may have missed ended sessions and shares with valid tokens. */
  async #repeatEndedSessions(session: Session): Promise<void> {
    const ended = await recentlyEnded(this.#deps)
    if (session.state.phase !== 'live') return
    for (const revoked of ended) this.#send(session, { type: 'revoke', ...revoked })
  }

  #liveOf(nodeId: string): Session[] {
    return [...this.#sessions].filter(({ state }) => state.phase === 'live' && state.nodeId === nodeId)
  }

  #live(): { session: Session; state: LiveState }[] {
    return [...this.#sessions].flatMap((session) =>
      session.state.phase === 'live' ? [{ session, state: session.state }] : [],
    )
  }

  #deliverAll(): void {
    for (const { session } of this.#live()) this.#run(this.#deliver(session))
  }

  async #deliver(session: Session): Promise<void> {
    const { state } = session
    if (state.phase !== 'live') return
    const { db, clock, log } = this.#deps
    const { commands, unreadable } = await takeUndelivered(db, state, clock.now())
    for (const command of unreadable) {
      log.error({ nodeId: state.nodeId, ...command }, 'a command cannot be sent')
      const touched = await failCommand(this.#deps, { nodeId: state.nodeId, command })
      for (const { serverId, requestId } of touched) this.#run(this.#deps.reconcile(serverId, requestId))
    }
    for (const command of commands) {
      await this.#deps.faults('hub.after-command-taken')
      log.info(
        { nodeId: state.nodeId, serverId: command.serverId, requestId: command.requestId, command: command.kind },
        'a command was sent',
      )
      this.#send(session, { type: 'command', command })
    }
  }

  /** SPEC.md A3: the older of two live sessions ends with 4410. */
  #closeOlder(nodeId: string, except: Session): void {
    for (const session of this.#liveOf(nodeId)) if (session !== except) this.#supersede(session)
  }

  #supersede(session: Session): void {
    if (session.state.phase !== 'live') return
    this.#deps.metrics.agentAlarms.inc({ kind: 'superseded' })
    this.#deps.log.error(
      { nodeId: session.state.nodeId, sessionId: session.state.sessionId },
      'a second session of a node superseded this one',
    )
    this.#end(session, CLOSE_CODES.superseded, 'superseded')
  }

  #beat(): void {
    const nowMs = this.#deps.clock.now()
    for (const { session } of this.#live()) {
      session.silentBeats += 1
      if (session.silentBeats > this.#timing.silentBeats) {
        this.#end(session, CLOSE_CODES.restart, 'silent')
        session.socket.terminate()
      } else {
        this.#send(session, { type: 'beat', nowMs })
      }
    }
  }

  async #renew(): Promise<void> {
    const live = this.#live()
    if (live.length === 0) return
    const held = await renewLeases(
      this.#deps.db,
      live.map(({ state }): Lease => state),
      this.#deps.clock.now(),
    )
    for (const { session, state } of live) if (!held.has(state.sessionId)) this.#supersede(session)
    this.#deliverAll()
    await this.#endLateBacklogs()
  }

  #end(session: Session, code: number, reason: string): void {
    if (session.state.phase === 'closed') return
    session.socket.close(code, reason)
    this.#closed(session)
  }

  #closed(session: Session): void {
    const { state } = session
    session.state = { phase: 'closed' }
    this.#sessions.delete(session)
    if (state.phase !== 'live') return
    this.#deps.metrics.sockets.dec({ kind: 'agent' })
    this.#deps.log.info({ nodeId: state.nodeId, sessionId: state.sessionId }, 'an agent disconnected')
    this.#run(releaseLease(this.#deps.db, state, this.#deps.clock.now()))
  }
}
