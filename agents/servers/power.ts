import { AgentError } from '../platform/agent-error.ts'
import type { TaskExit } from '../runtime/task-handle.ts'
import { afterCrash } from './crash-policy.ts'
import type { ServerCore } from './server-core.ts'
import type { CommandResult, Work } from './state-file.ts'
import { stopChain, type StopStep } from './stop-chain.ts'

export const OK: CommandResult = { ok: true, code: 'OK', detail: '' }
export const refusal = (code: string, detail = ''): CommandResult => ({ ok: false, code, detail })

const KILL_WAIT_MS = 15_000

/** Why the server may not start now, or undefined. */
const startRefusal = (core: ServerCore): CommandResult | undefined => {
  const spec = core.spec
  if (spec === null) return refusal('NO_SPEC', 'This node has no description of the server.')
  if (spec.suspended) return refusal('SUSPENDED')
  if (!core.record.installed) return refusal('NOT_INSTALLED')
  if (core.record.state === 'deleting') return refusal('DELETING')
  return undefined
}

/** Starts the server. Answers once its program runs; the done text moves it from starting to running later. */
export const start = async (core: ServerCore, work: Work): Promise<CommandResult> => {
  const refused = startRefusal(core)
  if (refused) return refused
  if (core.isLive) return { ...OK, code: 'ALREADY_RUNNING' }
  const handle = core.handle(core.deps.ids.next(), 'server')
  const fresh = { task: handle, taskAfterSeq: core.console.lastSeq, exit: null, restartAtMs: null }
  core.move('starting', { ...fresh, work })
  await core.deps.faults('start.recorded')
  return begin(core, work)
}

/** The part of a start that comes after its record: also what a restarted agent goes on with. */
export const begin = async (core: ServerCore, work: Work): Promise<CommandResult> => {
  const spec = core.spec
  const handle = core.record.task
  if (spec === null || handle === null) return refusal('NO_SPEC')
  try {
    const observed = await core.runTask(handle, spec.startup, spec)
    await core.deps.faults('start.spawned')
    if (observed.is === 'never-started') return await begin(core, renewTask(core, work))
  } catch (error) {
    if (!(error instanceof AgentError)) throw error
    core.move('startup_failed', { task: null, exit: { code: 127, signal: null } })
    await core.note(error.message)
    await core.deps.driver.forget(handle, core.layout)
    return refusal(error.code, error.message)
  }
  void core.follow(handle)
  return OK
}

/** A task that was ruled out cannot begin any more, so the same work goes on under a new id. */
const renewTask = (core: ServerCore, work: Work): Work => {
  core.save({ task: core.handle(core.deps.ids.next(), 'server'), work })
  return work
}

const perform = async (core: ServerCore, step: StopStep): Promise<void> => {
  const task = core.record.task
  if (task === null) return
  if (step.kind === 'line') await core.deps.driver.writeLine(task, core.layout, step.line)
  else await core.deps.driver.signal(task, core.layout, step.signal)
}

/** Stops the server by its chain. Answers once it has ended. */
export const stop = async (core: ServerCore, work: Work): Promise<CommandResult> => {
  if (!core.isLive) return { ...OK, code: 'NOT_RUNNING' }
  core.move('stopping', { work, restartAtMs: null })
  await core.deps.faults('stop.recorded')
  return goThroughChain(core)
}

/**
 * Goes down the stop chain until the program has ended: also what a restarted agent does with a stop that it finds.
 * Refuses with STOP_FAILED when even SIGKILL does not end it.
 */
export const goThroughChain = async (core: ServerCore): Promise<CommandResult> => {
  const spec = core.spec ?? { stop: { kind: 'signal' as const }, stopTimeoutMs: 10_000 }
  for (const step of stopChain(spec)) {
    await perform(core, step)
    await core.deps.faults('stop.signalled')
    if (await core.endsWithin(step.waitMs)) return OK
  }
  return refusal('STOP_FAILED', 'The program did not end.')
}

/** Ends the server at once. Runs beside a stop that is still waiting; both see the same end. */
export const kill = async (core: ServerCore, work: Work): Promise<CommandResult> => {
  if (core.record.state === 'installing') return refusal('INSTALLING')
  if (!core.isLive) return { ...OK, code: 'NOT_RUNNING' }
  if (core.record.state === 'stopping') core.save({ restartAtMs: null })
  else core.move('stopping', { work, restartAtMs: null })
  await perform(core, { kind: 'signal', signal: 'SIGKILL', waitMs: KILL_WAIT_MS })
  return (await core.endsWithin(KILL_WAIT_MS)) ? OK : refusal('STOP_FAILED', 'The program did not end.')
}

/** Stops, then starts. Refuses before the stop what could not be started again. */
export const restart = async (core: ServerCore, work: Work): Promise<CommandResult> => {
  const refused = startRefusal(core)
  if (refused) return refused
  const stopped = await stop(core, { ...work, step: 0 })
  if (!stopped.ok) return stopped
  return start(core, { ...work, step: 1 })
}

const describe = (exit: TaskExit): string => {
  if (exit.signal !== null) return `by ${exit.signal}`
  return exit.code === null ? 'and its exit code is unknown' : `with exit code ${exit.code}`
}

/**
 * What the end of a server's program means: asked for while stopping, a failed start-up while starting, a crash while
 * running. A first crash is started again after a pause, a second one within a minute is not.
 */
export const serverExited = async (core: ServerCore, exit: TaskExit): Promise<void> => {
  await core.deps.faults('exit.observed')
  const handle = core.record.task
  const { state } = core.record
  const patch = { task: null, exit: { code: exit.code, signal: exit.signal } }
  if (state === 'running') {
    const decision = afterCrash(core.record.crashes, core.deps.clock.now())
    const restartAtMs = decision.is === 'restart' ? core.deps.clock.now() + decision.delayMs : null
    core.move('crashed', { ...patch, crashes: [...decision.crashes], restartAtMs })
    await core.note(`The server ended unasked ${describe(exit)}.`)
    if (decision.is === 'stay-down') await core.note('It crashed twice within a minute and stays stopped.')
  } else if (state === 'starting') {
    core.move('startup_failed', patch)
    await core.note(`The server ended before it was ready, ${describe(exit)}.`)
  } else {
    core.move('offline', patch)
  }
  if (handle !== null) await core.deps.driver.forget(handle, core.layout)
}
