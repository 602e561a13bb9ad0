import { noteLine, type NoteLine } from '../console/notes.ts'
import type { TaskExit } from '../runtime/driver/task-handle.ts'
import { afterCrash, CRASH_WINDOW_MS, type CrashDecision } from './crash-policy.ts'
import type { ServerCore } from './server-core.ts'

const MINUTES = CRASH_WINDOW_MS / 60_000

/** How a program ended, as the parameters of a note. */
export const endParams = (exit: Pick<TaskExit, 'code' | 'signal'>) => ({
  end: exit.signal !== null ? 'signal' : exit.code === null ? 'unknown' : 'code',
  code: exit.code ?? '',
  signal: exit.signal ?? '',
})

const memoryOf = (exit: TaskExit): string => (exit.oomKilled === true ? 'full' : 'fine')

const consequence = (decision: CrashDecision): NoteLine => {
  if (decision.is === 'stay-down')
    return noteLine({ code: 'stays-down', params: { crashes: decision.crashes.length, minutes: MINUTES } })
  const seconds = decision.delayMs / 1_000
  return noteLine({ code: 'restarts', params: { attempt: decision.attempt, minutes: MINUTES, seconds } })
}

const textOf = (notes: readonly NoteLine[]): string => notes.map(({ text }) => text).join(' ')

/** A crash: told in the console, in the state and as an activity of the server; started again by the back-off's rules. */
const crashed = async (core: ServerCore, state: 'crashed' | 'startup_failed', exit: TaskExit): Promise<void> => {
  const nowMs = core.deps.clock.now()
  const decision = afterCrash(core.record.crashes, nowMs)
  core.move(state, {
    task: null,
    exit: { code: exit.code, signal: exit.signal, oom: exit.oomKilled === true },
    crashes: [...decision.crashes],
    restartAtMs: decision.is === 'restart' ? nowMs + decision.delayMs : null,
  })
  const code = state === 'crashed' ? 'crashed' : 'ended-early'
  const notes = [noteLine({ code, params: { ...endParams(exit), memory: memoryOf(exit) } }), consequence(decision)]
  await core.note(...notes)
  const type = decision.is === 'restart' ? 'server:crashed' : 'server:crash-loop'
  core.deps.emit({ kind: 'activity', serverId: core.id, userId: null, type, detail: textOf(notes) })
}

const startFailed = async (core: ServerCore, exit: TaskExit): Promise<void> => {
  const patch = { task: null, exit: { code: exit.code, signal: exit.signal, oom: exit.oomKilled === true } }
  const note = noteLine({ code: 'ended-early', params: { ...endParams(exit), memory: memoryOf(exit) } })
  core.move('startup_failed', patch)
  await core.note(note)
  core.deps.emit({ kind: 'activity', serverId: core.id, userId: null, type: 'server:start-failed', detail: note.text })
}

/**
 * What the end of a server's program means: asked for while stopping, a failed start-up while starting, a crash while
 * running. A start that nobody asked for and that fails counts as one more crash, so that the back-off goes on with it.
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
 * The machine was restarted while the server ran: that is no crash of the server. It is offline now, and due to start
 * again. The record keeps that it is due, so that an agent that ends meanwhile goes on with it.
 */
export const endedWithMachine = async (core: ServerCore): Promise<void> => {
  const { task } = core.record
  core.move('offline', { task: null, exit: null, restartAtMs: core.deps.clock.now() })
  await core.note(noteLine({ code: 'machine-restarted', params: {} }))
  if (task !== null) await core.forget(task)
}
