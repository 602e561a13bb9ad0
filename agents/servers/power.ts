import { doneTextProblem } from '#contracts/agent/done-text.ts'
import { STORAGE_EXCEEDED } from '#contracts/agent/session.ts'
import { noteLine } from '../console/notes.ts'
import { AgentError } from '../platform/agent-error.ts'
import { excessParams } from '../quota/exceeded-storage.ts'
import type { ServerCore } from './server-core.ts'
import type { CommandResult, Work } from './state-file.ts'
import { stopChain, type StopStep } from './stop-chain.ts'

export const OK: CommandResult = { ok: true, code: 'OK', detail: '' }
export const refusal = (code: string, detail = ''): CommandResult => ({ ok: false, code, detail })
const INTERNAL = refusal('INTERNAL', 'The agent failed; its log knows more.')
const NO_SPACE = new Set(['ENOSPC', 'EDQUOT', 'EROFS'])

/** The result of an action that failed in the agent itself. */
export const failureOf = (error: unknown): CommandResult => {
  const code = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? '') : ''
  return NO_SPACE.has(code)
    ? refusal('DISK_FULL', "The node's disk takes nothing more: it is full or read-only.")
    : INTERNAL
}

const KILL_WAIT_MS = 15_000
/** The delay after a stop command that the program does not read. */
const NOT_READ_MS = 100

/** Why the server may not start now, or undefined. */
const startRefusal = (core: ServerCore): CommandResult | undefined => {
  const spec = core.spec
  if (spec === null) return refusal('NO_SPEC', 'This node has no description of the server.')
  if (core.record.fencedAt !== null) return refusal('MOVED', 'Another node has this server now.')
  if (spec.suspended) return refusal('SUSPENDED')
  if (spec.expiresAtMs !== undefined && spec.expiresAtMs <= core.deps.clock.now()) return refusal('EXPIRED')
  if (!core.record.installed) return refusal('NOT_INSTALLED')
  if (core.record.state === 'deleting') return refusal('DELETING')
  return undefined
}

/** Refuses a start beyond the storage, and says so in the console: the watcher would stop the server again at once. */
const storageRefusal = async (core: ServerCore): Promise<CommandResult | undefined> => {
  const excess = core.spec === null ? undefined : await core.deps.exceededStorage(core.placed(core.spec))
  if (excess === undefined) return undefined
  const note = noteLine({ code: 'storage-not-started', params: excessParams(excess) })
  await core.note(note)
  return refusal(STORAGE_EXCEEDED, note.text)
}

/** Notes in the console which done texts can never match, while no program runs that would write there. */
const tellBadDoneTexts = async (core: ServerCore): Promise<void> => {
  const told = (core.spec?.doneTexts ?? []).flatMap((text) => {
    const problem = doneTextProblem(text)
    return problem === undefined ? [] : [noteLine({ code: 'done-text', params: { text, problem } })]
  })
  if (told.length > 0) await core.note(...told)
}

/** Starts the server. Returns once its program runs; the done text later moves it from starting to running. */
export const start = async (core: ServerCore, work: Work, byItself = false): Promise<CommandResult> => {
  const refused = startRefusal(core)
  if (refused) return refused
  if (core.isLive) return { ...OK, code: 'ALREADY_RUNNING' }
  // A suspension or an expiry can come while the storage is measured.
  const since = (await storageRefusal(core)) ?? startRefusal(core)
  if (since) return since
  await tellBadDoneTexts(core)
  const handle = core.handle(core.deps.ids.next(), 'server')
  const fresh = { task: handle, taskAfterSeq: core.console.lastSeq, exit: null, restartAtMs: null }
  const { crashes, spec } = core.record
  core.moveFirst('starting', {
    ...fresh,
    work,
    byItself,
    // A person who starts the server knows about its crashes, so the count restarts.
    crashes: byItself ? crashes : [],
    slowStartTold: false,
    bootId: core.deps.bootId,
    ...(spec === null ? {} : { startedGeneration: spec.generation }),
  })
  await core.deps.faults('start.recorded')
  return begin(core, work)
}

/** The part of a start after its record: a restarted agent continues here too. */
export const begin = async (core: ServerCore, work: Work): Promise<CommandResult> => {
  const spec = core.spec
  const handle = core.record.task
  if (spec === null || handle === null) return refusal('NO_SPEC')
  // A change that arrived since the start was recorded is in what the program gets.
  if (core.record.startedGeneration !== spec.generation) core.save({ startedGeneration: spec.generation })
  try {
    const observed = await core.runTask(handle, spec.startup, spec)
    await core.deps.faults('start.spawned')
    if (observed.is === 'never-started') return await begin(core, renewTask(core, work))
  } catch (error) {
    if (!(error instanceof AgentError)) throw error
    core.move('startup_failed', { task: null, exit: { code: 127, signal: null, oom: false } })
    await core.note(noteLine({ code: 'not-started', params: { detail: error.message } }))
    await core.forget(handle)
    return refusal(error.code, error.message)
  }
  void core.follow(handle)
  return OK
}

/** A ruled-out task can never begin, so the same work continues under a new id. */
const renewTask = (core: ServerCore, work: Work): Work => {
  core.saveFirst({ task: core.handle(core.deps.ids.next(), 'server'), work })
  return work
}

/** False when the step reached no process, so that there is nothing to wait for. */
const perform = async (core: ServerCore, step: StopStep): Promise<boolean> => {
  const task = core.record.task
  if (task === null) return true
  if (step.kind === 'line') return core.deps.driver.writeLine(task, core.layout, step.line)
  await core.deps.driver.signal(task, core.layout, step.signal)
  return true
}

/** Stops the server by its stop chain, even on a full disk. Returns once it has ended. */
export const stop = async (core: ServerCore, work: Work): Promise<CommandResult> => {
  if (!core.isLive) return { ...OK, code: 'NOT_RUNNING' }
  core.move('stopping', { work, restartAtMs: null })
  await core.deps.faults('stop.recorded')
  return goThroughChain(core)
}

/**
 * The stop at the beginning of a longer action: throws the disk's error, since the next steps could not be recorded
 * either.
 */
export const stopFirst = async (core: ServerCore, work: Work): Promise<CommandResult> => {
  if (!core.isLive) return { ...OK, code: 'NOT_RUNNING' }
  core.moveFirst('stopping', { work, restartAtMs: null })
  await core.deps.faults('stop.recorded')
  return goThroughChain(core)
}

/**
 * Goes through the stop chain until the program has ended: a restarted agent continues a stop here too. Refuses with
 * STOP_FAILED when even SIGKILL does not end it.
 */
export const goThroughChain = async (core: ServerCore): Promise<CommandResult> => {
  const spec = core.spec ?? { stop: { kind: 'signal' as const }, stopTimeoutMs: 10_000 }
  for (const step of stopChain(spec)) {
    const reached = await perform(core, step)
    await core.deps.faults('stop.signalled')
    if (await core.endsWithin(reached ? step.waitMs : NOT_READ_MS)) return OK
  }
  return refusal('STOP_FAILED', 'The program did not end.')
}

/**
 * Ends the server at once, even on a full disk: a server that fills the disk can always be ended. Runs beside a waiting
 * stop; both see the same end.
 */
export const kill = async (core: ServerCore, work: Work): Promise<CommandResult> => {
  if (core.record.state === 'installing') return refusal('INSTALLING')
  if (!core.isLive) return { ...OK, code: 'NOT_RUNNING' }
  if (core.record.state === 'stopping') core.save({ restartAtMs: null })
  else core.move('stopping', { work, restartAtMs: null })
  await perform(core, { kind: 'signal', signal: 'SIGKILL', waitMs: KILL_WAIT_MS })
  return (await core.endsWithin(KILL_WAIT_MS)) ? OK : refusal('STOP_FAILED', 'The program did not end.')
}

/** Stops, then starts. If the start would be impossible it refuses before the stop; on a full disk it throws there. */
export const restart = async (core: ServerCore, work: Work): Promise<CommandResult> => {
  const refused = startRefusal(core) ?? (await storageRefusal(core))
  if (refused) return refused
  const stopped = await stopFirst(core, { ...work, step: 0 })
  if (!stopped.ok) return stopped
  return start(core, { ...work, step: 1 })
}
