import { noteLine, type NoteLine } from '../console/notes.ts'
import type { TaskExit } from '../runtime/driver/task-handle.ts'
import { afterCrash, CRASH_WINDOW_MS, type CrashDecision } from './crash-policy.ts'
import { happened } from './happened.ts'
import { lastLines } from './last-lines.ts'
import type { ServerCore } from './server-core.ts'

const MINUTES = CRASH_WINDOW_MS / 60_000

/** The end of a program, as parameters of a note. */
export const endParams = (exit: Pick<TaskExit, 'code' | 'signal'>) => ({
  end: exit.signal !== null ? 'signal' : exit.code === null ? 'unknown' : 'code',
  code: exit.code ?? '',
  signal: exit.signal ?? '',
})

const memoryOf = (exit: TaskExit): string => (exit.oomKilled === true ? 'full' : 'fine')

/** Its owner starts it: a server without automatic start stays stopped after any crash. */
const withChoice = (
  core: ServerCore,
  decision: CrashDecision,
): CrashDecision | { readonly is: 'left'; readonly crashes: readonly number[] } =>
  core.spec?.autoStart === false ? { is: 'left', crashes: decision.crashes } : decision

const consequence = (decision: ReturnType<typeof withChoice>): NoteLine => {
  if (decision.is === 'left') return noteLine({ code: 'no-auto-start', params: {} })
  if (decision.is === 'stay-down')
    return noteLine({ code: 'stays-down', params: { crashes: decision.crashes.length, minutes: MINUTES } })
  const seconds = decision.delayMs / 1_000
  return noteLine({ code: 'restarts', params: { attempt: decision.attempt, minutes: MINUTES, seconds } })
}

/** A crash: reported in the console, in the state and as an activity of the server; restarted by the back-off rules. */
const crashed = async (core: ServerCore, state: 'crashed' | 'startup_failed', exit: TaskExit): Promise<void> => {
  const nowMs = core.deps.clock.now()
  // Before the notes below, which are the node's own.
  const lines = lastLines(core.console)
  const decision = withChoice(core, afterCrash(core.record.crashes, nowMs))
  core.move(state, {
    task: null,
    exit: { code: exit.code, signal: exit.signal, oom: exit.oomKilled === true },
    crashes: [...decision.crashes],
    restartAtMs: decision.is === 'restart' ? nowMs + decision.delayMs : null,
  })
  const code = state === 'crashed' ? 'crashed' : 'ended-early'
  const notes = [noteLine({ code, params: { ...endParams(exit), memory: memoryOf(exit) } }), consequence(decision)]
  await core.note(...notes)
  const type = decision.is === 'stay-down' ? 'server:crash-loop' : 'server:crashed'
  happened(core, { type, notes, lines })
}

const startFailed = async (core: ServerCore, exit: TaskExit): Promise<void> => {
  const patch = { task: null, exit: { code: exit.code, signal: exit.signal, oom: exit.oomKilled === true } }
  const note = noteLine({ code: 'ended-early', params: { ...endParams(exit), memory: memoryOf(exit) } })
  core.move('startup_failed', patch)
  await core.note(note)
  happened(core, { type: 'server:start-failed', notes: [note] })
}

/**
 * The meaning of a program's end: requested while stopping, a failed start while starting, a crash while running. A
 * failed automatic start counts as one more crash, so that the back-off continues.
 */
export const serverExited = async (core: ServerCore, exit: TaskExit): Promise<void> => {
  await core.deps.faults('exit.observed')
  const { state, byItself, task } = core.record
  if (state === 'running') await crashed(core, 'crashed', exit)
  else if (state === 'starting') await (byItself ? crashed(core, 'startup_failed', exit) : startFailed(core, exit))
  else {
    const told = { code: exit.code, signal: exit.signal, oom: exit.oomKilled === true }
    core.move('offline', { task: null, exit: told })
  }
  if (task !== null) await core.forget(task)
}

/**
 * The machine was restarted while the server ran, which is not a crash. The server is offline now, and due to start
 * again. The record stores that, so that it survives the end of this agent.
 */
export const endedWithMachine = async (core: ServerCore): Promise<void> => {
  const { task } = core.record
  const starts = core.spec?.autoStart !== false
  core.move('offline', { task: null, exit: null, restartAtMs: starts ? core.deps.clock.now() : null })
  await core.note(noteLine({ code: starts ? 'machine-restarted' : 'machine-restarted-stays', params: {} }))
  if (task !== null) await core.forget(task)
}
