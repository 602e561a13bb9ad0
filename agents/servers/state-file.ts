import * as z from 'zod'
import { ObservedServer } from '#contracts/agent/session.ts'
import { ServerSpec } from '#contracts/agent/server-spec.ts'
import type { Disk } from '../platform/disk.ts'
import { TaskHandle } from '../runtime/task-handle.ts'
import type { ServerLayout } from './layout.ts'

/** Commands whose end is remembered, so that one delivered again is answered and not run again (rule A4). */
const REMEMBERED_COMMANDS = 200

export const ServerState = ObservedServer.shape.state
export type ServerState = z.infer<typeof ServerState>

export const Work = z.object({
  commandId: z.string().nullable(),
  requestId: z.string().nullable(),
  kind: z.enum(['install', 'start', 'stop', 'restart', 'kill', 'delete']),
  /** Which installation program runs. */
  step: z.number().int(),
})
export type Work = z.infer<typeof Work>

export const CommandResult = z.object({ ok: z.boolean(), code: z.string(), detail: z.string() })
export type CommandResult = z.infer<typeof CommandResult>

/** Who a server on this disk is. Written once, so that a damaged record can be built again. */
export const ServerIdentity = z.object({
  version: z.literal(1),
  id: z.string(),
  identifier: z.string(),
  uid: z.number().int(),
})
export type ServerIdentity = z.infer<typeof ServerIdentity>

/** All that the agent knows of one server. Written before an action begins and after it ends. */
export const ServerRecord = z.object({
  version: z.literal(1),
  spec: ServerSpec.nullable(),
  state: ServerState,
  since: z.number(),
  installed: z.boolean(),
  exit: z.object({ code: z.number().int().nullable(), signal: z.string().nullable() }).nullable(),
  task: TaskHandle.nullable(),
  /** Number of the newest console line when the task began: the done text is looked for after it. */
  taskAfterSeq: z.number().int(),
  work: Work.nullable(),
  crashes: z.array(z.number()),
  restartAtMs: z.number().nullable(),
  commands: z.array(z.object({ id: z.string(), result: CommandResult.nullable() })),
})
export type ServerRecord = z.infer<typeof ServerRecord>

/** The record of a server that this node just met; without a spec (a damaged record) its state is unknown. */
export const newRecord = (spec: ServerSpec | null, nowMs: number): ServerRecord => ({
  version: 1,
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
})

const parse = <T>(schema: z.ZodType<T>, text: string): T | undefined => {
  try {
    const parsed = schema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}

/** Writes the record whole or not at all. Throws what the disk throws. */
export const writeRecord = (disk: Disk, layout: ServerLayout, record: ServerRecord): void => {
  const commands = record.commands.slice(-REMEMBERED_COMMANDS)
  disk.writeAtomically(layout.recordFile, JSON.stringify({ ...record, commands }))
}

/** Writes the identity whole or not at all. Throws what the disk throws. */
export const writeIdentity = (disk: Disk, layout: ServerLayout, identity: ServerIdentity): void =>
  disk.writeAtomically(layout.identityFile, JSON.stringify(identity))

/** Who owns the folder, or undefined when that is missing or damaged. */
export const readIdentity = (disk: Disk, layout: ServerLayout): ServerIdentity | undefined => {
  const text = disk.read(layout.identityFile)
  return text === undefined ? undefined : parse(ServerIdentity, text)
}

export type RecordReading =
  | { readonly is: 'read'; readonly record: ServerRecord }
  | { readonly is: 'missing' }
  /** The damaged file was put aside under `kept`. */
  | { readonly is: 'corrupt'; readonly kept: string }

/** Reads the record of a server. A file that cannot be read is put aside and reported; it never stops the agent. */
export const readRecord = (disk: Disk, layout: ServerLayout, nowMs: number): RecordReading => {
  const text = disk.read(layout.recordFile)
  if (text === undefined) return { is: 'missing' }
  const record = parse(ServerRecord, text)
  if (record !== undefined) return { is: 'read', record }
  const kept = `${layout.recordFile}.corrupt-${nowMs}`
  disk.rename(layout.recordFile, kept)
  return { is: 'corrupt', kept }
}
