import * as z from 'zod'
import { ObservedServer } from '#contracts/agent/session.ts'
import { ServerSpec } from '#contracts/agent/server-spec.ts'
import { AgentError } from '../platform/agent-error.ts'
import type { Disk } from '../platform/disk.ts'
import { TaskHandle } from '../runtime/driver/task-handle.ts'
import type { ServerLayout } from './layout.ts'

/** Remembered results of commands, so that a redelivered one is answered and not run again (rule A4). */
const REMEMBERED_COMMANDS = 200
/** More than a record grows when its server ends. */
const END_BYTES = 4_096
/** Version of server.json that this agent writes. It reads every lower one. */
export const RECORD_VERSION = 2

export const ServerState = ObservedServer.shape.state
export type ServerState = z.infer<typeof ServerState>

export const Work = z.object({
  commandId: z.string().nullable(),
  requestId: z.string().nullable(),
  kind: z.enum(['install', 'start', 'stop', 'restart', 'kill', 'delete']),
  /** The running installation program. */
  step: z.number().int(),
  /** A reinstallation whose programs have not begun: what becomes of the files. Records of older agents have none. */
  reinstall: z.enum(['keep', 'wipe']).optional(),
})
export type Work = z.infer<typeof Work>

export const CommandResult = z.object({ ok: z.boolean(), code: z.string(), detail: z.string() })
export type CommandResult = z.infer<typeof CommandResult>

/** The identity of a server on this disk. Written once, so that a damaged record can be rebuilt. */
export const ServerIdentity = z.object({
  version: z.literal(1),
  id: z.string(),
  identifier: z.string(),
  uid: z.number().int(),
})
export type ServerIdentity = z.infer<typeof ServerIdentity>

/** Fields that have not changed since version 1. */
const Kept = z.object({
  spec: ServerSpec.nullable(),
  state: ServerState,
  since: z.number(),
  installed: z.boolean(),
  task: TaskHandle.nullable(),
  /** Number of the newest console line when the task began: the done text is searched for after it. */
  taskAfterSeq: z.number().int(),
  work: Work.nullable(),
  crashes: z.array(z.number()),
  restartAtMs: z.number().nullable(),
  commands: z.array(z.object({ id: z.string(), result: CommandResult.nullable() })),
})
const Exit = z.object({ code: z.number().int().nullable(), signal: z.string().nullable(), oom: z.boolean() })
const RecordV1 = Kept.extend({ version: z.literal(1), exit: Exit.omit({ oom: true }).nullable() })

/** The agent's knowledge about one server. Written before an action begins and after it ends. */
export const ServerRecord = Kept.extend({
  version: z.literal(RECORD_VERSION),
  exit: Exit.nullable(),
  /** The machine's boot in which the task began; null if unknown. */
  bootId: z.string().nullable(),
  /** The current start is automatic: it follows a crash or a restart of the machine. */
  byItself: z.boolean(),
  /** The customer was notified that the current start takes long. */
  slowStartTold: z.boolean(),
  /** Since this generation another node has the server; null while it is ours (rule A15). */
  fencedAt: z.number().int().nullable(),
  /** The generation that the program was started with last. Absent from records of older agents. */
  startedGeneration: z.number().int().optional(),
})
export type ServerRecord = z.infer<typeof ServerRecord>

const upgraded = ({ exit, ...kept }: z.infer<typeof RecordV1>): ServerRecord => ({
  ...kept,
  version: RECORD_VERSION,
  exit: exit === null ? null : { ...exit, oom: false },
  bootId: null,
  byItself: false,
  slowStartTold: false,
  fencedAt: null,
})

/** The record of a new server; without a spec (a damaged record) its state is unknown. */
export const newRecord = (spec: ServerSpec | null, nowMs: number): ServerRecord => ({
  version: RECORD_VERSION,
  spec,
  state: spec === null ? 'unknown' : 'creating',
  since: nowMs,
  installed: false,
  exit: null,
  task: null,
  taskAfterSeq: 0,
  work: null,
  crashes: [],
  restartAtMs: null,
  commands: [],
  bootId: null,
  byItself: false,
  slowStartTold: false,
  fencedAt: null,
})

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const Versioned = z.object({ version: z.number() })

/** An older agent would drop unknown fields, so it leaves a newer file unchanged and says so. */
const refuseNewer = (raw: unknown, version: number, file: string): void => {
  const versioned = Versioned.safeParse(raw)
  if (!versioned.success || versioned.data.version <= version) return
  const message = `${file} was written by a newer agent (version ${versioned.data.version}, this one reads up to ${version}). Install the newer agent again; nothing was changed.`
  throw new AgentError('STATE_NEWER', message)
}

/** Throws STATE_NEWER when a newer agent wrote a file of this server. Changes nothing. */
export const refuseNewerFiles = (disk: Disk, layout: ServerLayout): void => {
  refuseNewer(readJson(disk.read(layout.identityFile) ?? ''), 1, layout.identityFile)
  refuseNewer(readJson(disk.read(layout.recordFile) ?? ''), RECORD_VERSION, layout.recordFile)
}

const textOf = (record: ServerRecord): string =>
  JSON.stringify({ ...record, commands: record.commands.slice(-REMEMBERED_COMMANDS) })

/**
 * Writes the record atomically. Throws the disk's error. Reserves space for the record of an end, so that a server that
 * fills the disk is not restarted by an agent that does not know about its stop.
 */
export const writeRecord = (disk: Disk, layout: ServerLayout, record: ServerRecord): void => {
  const text = textOf(record)
  disk.writeAtomically(layout.recordFile, text)
  try {
    disk.reserve(layout.recordFile, Buffer.byteLength(text) + END_BYTES)
  } catch {
    // The record itself is written; the next write tries to reserve again.
  }
}

/** As `writeRecord`, into the reserved space: for changes that must work on a full disk (rule A23). */
export const writeRecordInReserve = (disk: Disk, layout: ServerLayout, record: ServerRecord): void =>
  disk.writeInReserve(layout.recordFile, textOf(record))

/** Writes the identity atomically. Throws the disk's error. */
export const writeIdentity = (disk: Disk, layout: ServerLayout, identity: ServerIdentity): void =>
  disk.writeAtomically(layout.identityFile, JSON.stringify(identity))

/** The folder's server, or undefined when the file is missing or damaged. */
export const readIdentity = (disk: Disk, layout: ServerLayout): ServerIdentity | undefined => {
  const parsed = ServerIdentity.safeParse(readJson(disk.read(layout.identityFile) ?? ''))
  return parsed.success ? parsed.data : undefined
}

const parseRecord = (raw: unknown): ServerRecord | undefined => {
  const first = RecordV1.safeParse(raw)
  if (first.success) return upgraded(first.data)
  const present = ServerRecord.safeParse(raw)
  return present.success ? present.data : undefined
}

export type RecordReading =
  | { readonly is: 'read'; readonly record: ServerRecord }
  | { readonly is: 'missing' }
  /** The damaged file was moved to `kept`. */
  | { readonly is: 'corrupt'; readonly kept: string }

/**
 * Reads the record of a server, also of an older version. An unreadable file is moved aside and reported; it never
 * stops the agent.
 */
export const readRecord = (disk: Disk, layout: ServerLayout, nowMs: number): RecordReading => {
  const text = disk.read(layout.recordFile)
  if (text === undefined) return { is: 'missing' }
  const record = parseRecord(readJson(text))
  if (record !== undefined) return { is: 'read', record }
  const kept = `${layout.recordFile}.corrupt-${nowMs}`
  disk.rename(layout.recordFile, kept)
  return { is: 'corrupt', kept }
}
