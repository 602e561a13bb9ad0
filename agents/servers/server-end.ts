import type { TaskExit } from '../runtime/task-handle.ts'
import { afterCrash, CRASH_WINDOW_MS, type CrashDecision } from './crash-policy.ts'
import type { ServerCore } from './server-core.ts'

const MINUTES = CRASH_WINDOW_MS / 60_000

const describe = (exit: TaskExit): string => {
  const memory = exit.oomKilled === true ? ', because its memory was full' : ''
  if (exit.signal !== null) return `by ${exit.signal}${memory}`
  return (exit.code === null ? 'and its exit code is unknown' : `with exit code ${exit.code}`) + memory
}

const consequence = (decision: CrashDecision): string =>
  decision.is === 'restart'
    ? `Crash ${decision.attempt} within ${MINUTES} minutes: it starts again in ${decision.delayMs / 1_000} s.`
    : `It crashed ${decision.crashes.length} times within ${MINUTES} minutes and stays stopped until somebody starts it.`

/** A crash: told in the console, in the state and as an activity of the server; started again by the back-off's rules. */
const crashed = async (core: ServerCore, state: 'crashed' | 'startup_failed', exit: TaskExit): Promise<void> => {
  const nowMs = core.deps.clock.now()
  const decision = afterCrash(core.record.crashes, nowMs)
  const what = state === 'crashed' ? 'The server ended unasked' : 'The server ended before it was ready,'
  core.move(state, {
    task: null,
    exit: { code: exit.code, signal: exit.signal, oom: exit.oomKilled === true },
    crashes: [...decision.crashes],
    restartAtMs: decision.is === 'restart' ? nowMs + decision.delayMs : null,
  })
  const texts = [`${what} ${describe(exit)}.`, consequence(decision)]
  await core.note(...texts)
  const type = decision.is === 'restart' ? 'server:crashed' : 'server:crash-loop'
  core.deps.emit({ kind: 'activity', serverId: core.id, userId: null, type, detail: texts.join(' ') })
}

const startFailed = async (core: ServerCore, exit: TaskExit): Promise<void> => {
  const patch = { task: null, exit: { code: exit.code, signal: exit.signal, oom: exit.oomKilled === true } }
  const text = `The server ended before it was ready, ${describe(exit)}.`
  core.move('startup_failed', patch)
  await core.note(text)
  core.deps.emit({ kind: 'activity', serverId: core.id, userId: null, type: 'server:start-failed', detail: text })
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
  await core.note('The machine was restarted. The server starts again in its turn.')
  if (task !== null) await core.forget(task)
}
