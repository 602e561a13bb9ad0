import * as z from 'zod'
import { ACTIVITY_WAYS } from '../activity-ways.ts'
import { SERVER_STATES } from '#domain/servers/server-lifecycle.ts'
import { Id } from '../primitives.ts'
import { GrantedPermissions, LoginAnswer, LoginRequest, MAX_CHECKED_LOGINS, OpenLogin } from '../logins/node-login.ts'
import { ConsoleNote } from '../console-notes.ts'
import { CountedPlayers } from './player-query.ts'
import { ServerSpec } from './server-spec.ts'

/** Raised when a message changes its meaning. An agent of another version is refused with an explanation. */
export const AGENT_PROTOCOL_VERSION = 1
/** A silent peer counts as dead after two missed heartbeats. */
export const AGENT_HEARTBEAT_MS = 5_000
/** A connection that has not become a session by then is replaced by a new one. */
export const AGENT_HANDSHAKE_MS = 5_000
/** The text that is signed and verified: domain-separated, so that the signature is useless elsewhere. */
export const challengeText = (nodeId: string, challenge: string): string =>
  `bakter agent hello 1\n${nodeId}\n${challenge}`
/** How far the time of a handshake's proof may be from the control plane's clock. */
export const AGENT_PROOF_MS = 60_000
/** The text that a node signs for its handshake: it admits to the challenge and to nothing else. */
export const handshakeText = (nodeId: string, atMs: number): string => `bakter agent handshake 1\n${nodeId}\n${atMs}`

/** Features of an agent beyond the first release of this protocol. An agent that announces none ignores them in a command. */
export const AGENT_CAPABILITIES = ['reinstall.wipe', 'console.tail'] as const
export type AgentCapability = (typeof AGENT_CAPABILITIES)[number]

export const ObservedServer = z.object({
  id: Id,
  generation: z.int(),
  state: z.enum(SERVER_STATES),
  /** Set after an exit. `oom`: the program was ended because it reached its memory limit. */
  exit: z.object({ code: z.int().nullable(), signal: z.string().nullable(), oom: z.boolean().optional() }).nullable(),
  /** Crashes currently counted by the back-off, and when the node restarts the server automatically. */
  crashes: z.int().optional(),
  restartAt: z.int().nullable().optional(),
  /** Whether an installation has ever succeeded. */
  installed: z.boolean(),
  since: z.int(),
  /** The generation that the running program was started with. Absent without one, and from older agents. */
  runningGeneration: z.int().optional(),
})
export type ObservedServer = z.infer<typeof ObservedServer>

/** The `requestId` of states caused by the agent's own orderly shutdown: they do not change the desired power state. */
export const AGENT_SHUTDOWN_REQUEST = 'agent-shutdown'

/**
 * The `code` of a refused start or restart: the server's files take too much of its storage. The agent has said so in the console,
 * and only a person makes room, so a start is not tried again by itself.
 */
export const STORAGE_EXCEEDED = 'STORAGE_EXCEEDED'

/** So many counts fit into one message; a node with more servers sends several. */
export const MAX_PLAYER_COUNTS = 1_000
/** The players of one server as its game told them last. */
export const PlayerCount = z.object({ serverId: Id, online: CountedPlayers, max: CountedPlayers })
export type PlayerCount = z.infer<typeof PlayerCount>

export const COMMAND_KINDS = ['install', 'reinstall', 'update', 'power', 'delete'] as const

/** `id` runs at most once, `generation` must not be stale (SPEC.md A4, A5). `requestId` follows the order through the logs. */
const commandFields = { id: Id, serverId: Id, generation: z.int().min(1), requestId: z.string().max(64) }
export const AgentCommand = z.discriminatedUnion('kind', [
  z.object({ ...commandFields, kind: z.literal('install'), spec: ServerSpec }),
  z.object({
    ...commandFields,
    kind: z.literal('reinstall'),
    spec: ServerSpec,
    /** Removes the server's files first, without its bin. Absent: they stay. Only for agents with `reinstall.wipe`. */
    wipe: z.boolean().optional(),
  }),
  z.object({
    ...commandFields,
    kind: z.literal('update'),
    spec: ServerSpec,
    /** The database's knowledge about the installation, for a node that lost its own record. */
    installed: z.boolean().optional(),
  }),
  z.object({
    ...commandFields,
    kind: z.literal('power'),
    action: z.enum(['start', 'stop', 'restart', 'kill']),
    spec: ServerSpec,
    /** Nobody waits for it: it queues with other automatic starts. */
    paced: z.boolean().optional(),
  }),
  z.object({ ...commandFields, kind: z.literal('delete'), tombstone: z.literal(true) }),
])
export type AgentCommand = z.infer<typeof AgentCommand>

/** How much of a console tells of a crash. */
export const CRASH_LINES = 50
export const CRASH_LINE_LENGTH = 300

/** How much of a console a node reads out for a ticket. Longer lines are cut. */
export const TAIL_BOUNDS = { lines: 200, line: 2_000 } as const
/** The last lines that the program itself has written, the newest last, and the time of the newest. */
export const ConsoleTail = z.object({
  atMs: z.int(),
  lines: z.array(z.string().max(TAIL_BOUNDS.line)).min(1).max(TAIL_BOUNDS.lines),
})
export type ConsoleTail = z.infer<typeof ConsoleTail>

/** `seq` counts the events of one agent for ever; the control plane acknowledges the highest stored one. */
const eventFields = { seq: z.int().min(1), atMs: z.int() }
export const AgentEvent = z.discriminatedUnion('kind', [
  z.object({ ...eventFields, kind: z.literal('command.accepted'), commandId: Id, serverId: Id }),
  z.object({
    ...eventFields,
    kind: z.literal('command.finished'),
    commandId: Id,
    serverId: Id,
    ok: z.boolean(),
    code: z.string(),
    detail: z.string().max(2_000),
  }),
  z.object({
    ...eventFields,
    kind: z.literal('server.state'),
    server: ObservedServer,
    requestId: z.string().nullable(),
  }),
  z.object({
    ...eventFields,
    kind: z.literal('activity'),
    serverId: Id,
    userId: Id.nullable(),
    type: z.string().max(64),
    detail: z.string().max(500),
    /** The person's address and way; nodes of the previous release omit them, and a server has neither. */
    address: z.string().max(64).optional(),
    way: z.enum(ACTIVITY_WAYS).optional(),
    /** The node's notes whose sentences make up the detail; nodes of the previous release omit them. */
    notes: z.array(ConsoleNote).max(4).optional(),
    /** The last lines of a program that crashed, the newest last; nodes of the previous release omit them (SPEC.md A29). */
    lines: z.array(z.string().max(CRASH_LINE_LENGTH)).max(CRASH_LINES).optional(),
  }),
  /** Something about the node itself that staff should see. */
  z.object({
    ...eventFields,
    kind: z.literal('node.alarm'),
    alarm: z.enum(['certificate-ends', 'certificate-unreadable', 'clock-differs', 'events-dropped']),
    detail: z.string().max(500),
    /** For `events-dropped`: the exact number (SPEC.md A22). */
    count: z.int().min(1).optional(),
  }),
])
export type AgentEvent = z.infer<typeof AgentEvent>

/** control plane -> agent. `challenge` is the first message of a connection, before the peer is known. */
export const ToAgent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('challenge'), challenge: z.string().min(32).max(128), protocol: z.int() }),
  z.object({
    type: z.literal('welcome'),
    epoch: z.int(),
    nowMs: z.int(),
    acknowledgedSeq: z.int(),
    siteOrigins: z.array(z.string()),
    consoleKeys: z.array(z.object({ kid: z.string(), x: z.string() })),
    /** Whether this control plane answers `login` and `logins`; a previous release ends the connection for them. */
    answersLogins: z.boolean().optional(),
    /** Whether this control plane knows the message `players`; a previous release ends the connection for it. */
    takesPlayers: z.boolean().optional(),
    /** Every server that belongs on this node, with its current generation and whether it may run. */
    servers: z.array(
      z.object({
        id: Id,
        generation: z.int(),
        suspended: z.boolean().optional(),
        expiresAtMs: z.int().optional(),
      }),
    ),
    /**
     * Servers of the hello that have moved to another node, under a higher generation: their program here must end
     * (SPEC.md A15).
     */
    fenced: z.array(z.object({ id: Id, generation: z.int() })).optional(),
  }),
  z.object({
    type: z.literal('refused'),
    code: z.enum(['UNKNOWN_NODE', 'BAD_SIGNATURE', 'PROTOCOL_VERSION', 'EPOCH']),
    message: z.string(),
  }),
  z.object({ type: z.literal('command'), command: AgentCommand }),
  z.object({ type: z.literal('ack'), seq: z.int() }),
  /**
   * Ends the sockets, and refuses the tokens, that match every non-null field. For a session all tokens end; for a
   * server or a user those issued before the time.
   */
  z.object({
    type: z.literal('revoke'),
    serverId: Id.nullable(),
    userId: Id.nullable(),
    sessionId: Id.nullable(),
    issuedBeforeMs: z.int(),
  }),
  z.object({
    type: z.literal('keys'),
    consoleKeys: z.array(z.object({ kid: z.string(), x: z.string() })),
    siteOrigins: z.array(z.string()),
  }),
  /** The answer to the sign-in with this id. */
  z.object({ type: z.literal('login'), id: Id, answer: LoginAnswer }),
  /** The present permissions of the connections that were asked about, in their order; null ends one. */
  z.object({ type: z.literal('logins'), id: Id, permissions: z.array(GrantedPermissions.nullable()) }),
  /** Asks for the last lines of a server's console. Only for agents with `console.tail` (SPEC.md A30). */
  z.object({ type: z.literal('tail'), id: Id, serverId: Id }),
  z.object({ type: z.literal('beat'), nowMs: z.int() }),
])
export type ToAgent = z.infer<typeof ToAgent>

/** agent -> control plane. */
export const FromAgent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    protocol: z.int(),
    nodeId: Id,
    signature: z.string(),
    agentVersion: z.string(),
    /** Names of `AGENT_CAPABILITIES`, and those of later releases; agents of the previous release announce none. */
    capabilities: z.array(z.string().max(64)).max(64).optional(),
    runtime: z.enum(['docker', 'process', 'fake']),
    /** The highest epoch this agent has served; the agent refuses a control plane below it (architecture section 5). */
    epoch: z.int(),
    nowMs: z.int(),
    resources: z.object({ memoryMiB: z.int(), storageMiB: z.int(), cores: z.int() }),
    servers: z.array(ObservedServer),
  }),
  z.object({ type: z.literal('event'), event: AgentEvent }),
  /** Somebody signs in at the node. */
  z.object({ type: z.literal('login'), id: Id, request: LoginRequest }),
  /** Whether the open connections of people may go on. */
  z.object({ type: z.literal('logins'), id: Id, open: z.array(OpenLogin).max(MAX_CHECKED_LOGINS) }),
  /**
   * Once a minute, the players of the running servers whose games answer. A count that is lost is not repeated: the next
   * one follows (SPEC.md A27).
   */
  z.object({ type: z.literal('players'), counts: z.array(PlayerCount).max(MAX_PLAYER_COUNTS) }),
  /** The answer to the question with this id; null where the server has no lines here. */
  z.object({ type: z.literal('tail'), id: Id, tail: ConsoleTail.nullable() }),
  /** The first heartbeat of a session follows every event that was pending at its beginning (SPEC.md A24). */
  z.object({ type: z.literal('beat'), nowMs: z.int() }),
])
export type FromAgent = z.infer<typeof FromAgent>
