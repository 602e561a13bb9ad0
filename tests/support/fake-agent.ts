import { sign, type KeyObject } from 'node:crypto'
import {
  AGENT_CAPABILITIES,
  AGENT_PROTOCOL_VERSION,
  challengeText,
  type AgentCommand,
  type AgentEvent,
  type ConsoleTail,
  type ObservedServer,
  type ToAgent,
} from '#contracts/agent/session.ts'
import type { Socket } from '../../control-plane/platform/sockets/socket.ts'
import { socketPair, type Peer } from './socket-pair.ts'

type EventBody = AgentEvent extends infer Event
  ? Event extends AgentEvent
    ? Omit<Event, 'seq' | 'atMs'>
    : never
  : never
export type AgentIdentity = { readonly nodeId: string; readonly privateKey: KeyObject }

/** The agent's side of the protocol for a test: its memory outlives a connection, as the real agent's disk does. */
export class FakeAgent {
  readonly identity: AgentIdentity
  readonly servers = new Map<string, ObservedServer>()
  /** The last lines of consoles, by server. */
  readonly tails = new Map<string, ConsoleTail>()
  /** Ids of commands in the order of their first execution. */
  readonly executed: string[] = []
  readonly outbox: AgentEvent[] = []
  peer: Peer<ToAgent> | undefined
  epoch = 0
  runtime: 'fake' | 'process' | 'docker' = 'fake'
  /** Undefined for an agent of the previous release. */
  capabilities: string[] | undefined = [...AGENT_CAPABILITIES]
  #seq = 0
  #answers = new Map<string, EventBody>()

  constructor(identity: AgentIdentity) {
    this.identity = identity
  }

  /** Connects, signs the challenge and waits for the welcome; then repeats the unacknowledged events. */
  async connect(
    accept: (socket: Socket) => void,
    options: { badSignature?: boolean; protocol?: number } = {},
  ): Promise<Peer<ToAgent>> {
    const { socket, peer } = socketPair<ToAgent>()
    this.peer = peer
    accept(socket)
    const challenge = await peer.next('the challenge', (message) => message.type === 'challenge')
    if (challenge.type !== 'challenge') throw new Error('no challenge')
    const text = challengeText(this.identity.nodeId, options.badSignature ? 'another challenge' : challenge.challenge)
    peer.send({
      type: 'hello',
      protocol: options.protocol ?? AGENT_PROTOCOL_VERSION,
      nodeId: this.identity.nodeId,
      signature: sign(null, Buffer.from(text), this.identity.privateKey).toString('base64url'),
      agentVersion: '0.0.0-test',
      ...(this.capabilities === undefined ? {} : { capabilities: this.capabilities }),
      runtime: this.runtime,
      epoch: this.epoch,
      nowMs: Date.now(),
      resources: { memoryMiB: 16_384, storageMiB: 100_000, cores: 8 },
      servers: [...this.servers.values()],
    })
    return peer
  }

  async connectLive(accept: (socket: Socket) => void): Promise<Peer<ToAgent>> {
    const peer = await this.connect(accept)
    const welcome = await peer.next('the welcome', (message) => message.type === 'welcome')
    if (welcome.type === 'welcome') this.acknowledge(welcome.acknowledgedSeq)
    for (const event of this.outbox) peer.send({ type: 'event', event })
    peer.send({ type: 'beat', nowMs: Date.now() })
    return peer
  }

  acknowledge(seq: number): void {
    while (this.outbox[0] && this.outbox[0].seq <= seq) this.outbox.shift()
  }

  /** Writes an event to the outbox and sends it when connected. */
  emit(body: EventBody): AgentEvent {
    this.#seq += 1
    const event = { ...body, seq: this.#seq, atMs: Date.now() } as AgentEvent
    this.outbox.push(event)
    this.peer?.send({ type: 'event', event })
    return event
  }

  state(id: string, change: Partial<ObservedServer>, requestId: string | null = null): void {
    const before = this.servers.get(id) ?? {
      id,
      generation: 0,
      state: 'creating',
      exit: null,
      installed: false,
      since: Date.now(),
    }
    const server = { ...before, ...change }
    this.servers.set(id, server)
    this.emit({ kind: 'server.state', server, requestId })
  }

  /** Executes commands as they arrive, each id once; a repeated id repeats its response (SPEC.md A4). */
  obey(peer: Peer<ToAgent>): () => void {
    let at = 0
    const timer = setInterval(() => {
      for (; at < peer.received.length; at += 1) {
        const message = peer.received[at]
        if (message?.type === 'ack') this.acknowledge(message.seq)
        if (message?.type === 'command') this.run(message.command)
        if (message?.type === 'tail')
          peer.send({ type: 'tail', id: message.id, tail: this.tails.get(message.serverId) ?? null })
      }
    }, 5)
    return () => clearInterval(timer)
  }

  run(command: AgentCommand): void {
    const { id, serverId, generation, requestId } = command
    const answered = this.#answers.get(id)
    if (answered) return void this.emit(answered)
    this.executed.push(id)
    this.emit({ kind: 'command.accepted', commandId: id, serverId })
    if (command.kind === 'install') {
      this.state(serverId, { state: 'installing', generation }, requestId)
      this.state(serverId, { state: 'offline', installed: true }, requestId)
    }
    if (command.kind === 'update') this.state(serverId, { generation }, requestId)
    if (command.kind === 'delete') this.servers.delete(serverId)
    if (command.kind === 'power') {
      const starts = command.action === 'start' || command.action === 'restart'
      this.state(serverId, { state: starts ? 'starting' : 'stopping' }, requestId)
      this.state(serverId, { state: starts ? 'running' : 'offline' }, requestId)
    }
    const finished = { kind: 'command.finished', commandId: id, serverId, ok: true, code: 'OK', detail: '' } as const
    this.#answers.set(id, finished)
    this.emit(finished)
  }
}
