import type { TaskObservation } from '../runtime/driver/runtime-driver.ts'
import { continueInstall, install } from './install.ts'
import { begin, goThroughChain, OK, refusal, start } from './power.ts'
import { endedWithMachine, serverExited } from './server-end.ts'
import type { ServerCore } from './server-core.ts'
import type { CommandResult, ServerState, Work } from './state-file.ts'

/** The remaining work after the agent was killed. Runs in the server's queue, before anything new. */
export type Remainder = { readonly work: Work; run(): Promise<CommandResult> } | undefined

const after = (state: ServerState): CommandResult => {
  if (state === 'install_failed') return refusal('INSTALL_FAILED')
  return state === 'startup_failed' ? refusal('PROGRAM_NOT_STARTED') : OK
}

/**
 * Ends every task that is not in the record: one server, at most one program. A damaged record names none, and a
 * running program is adopted instead.
 */
const settleUnnamed = async (core: ServerCore): Promise<void> => {
  for (const handle of await core.deps.driver.tasksOf(core.id, core.layout)) {
    if (handle.taskId === core.record.task?.taskId || handle.kind === 'install') continue
    const observed = await core.deps.driver.recover(handle, core.layout)
    if (observed.is === 'running' && core.record.state === 'unknown' && core.record.task === null) {
      core.save({ task: handle, installed: true, taskAfterSeq: core.console.lastSeq })
      continue
    }
    if (observed.is === 'running') await core.deps.driver.signal(handle, core.layout, 'SIGKILL')
    else await core.deps.driver.forget(handle, core.layout)
  }
}

/** Whether the server ran, and the machine was restarted since. */
const wentWithMachine = (core: ServerCore): boolean => {
  const { bootId, state, task } = core.record
  const ran = state === 'running' || state === 'starting'
  return ran && task?.kind === 'server' && bootId !== null && bootId !== core.deps.bootId
}

const rejoin = async (core: ServerCore, observed: TaskObservation): Promise<void> => {
  const { task, state } = core.record
  if (task === null || task.kind === 'install') return
  if (observed.is === 'running') {
    void core.follow(task)
    if (state === 'unknown') core.move('running')
    return
  }
  if (wentWithMachine(core)) {
    await endedWithMachine(core)
    return
  }
  if (observed.is === 'exited') {
    // A server last seen starting may have become ready before it ended; the console shows it.
    core.catchUp()
    await serverExited(core, observed.exit)
  }
}

const remainderOf = (core: ServerCore, observed: TaskObservation | undefined): Remainder => {
  const { work, state } = core.record
  if (state === 'stopping' && core.record.task !== null) {
    const unasked: Work = { commandId: null, requestId: null, kind: 'stop', step: 0 }
    const resumed = work ?? unasked
    return {
      work: resumed,
      run: async () => {
        const stopped = await goThroughChain(core)
        if (stopped.ok && resumed.reinstall !== undefined) return install(core, resumed)
        return stopped.ok && resumed.kind === 'restart' ? start(core, { ...resumed, step: 1 }) : stopped
      },
    }
  }
  if (state === 'starting' && observed?.is === 'never-started') {
    const local: Work = { commandId: null, requestId: null, kind: 'start', step: 0 }
    return { work: work ?? local, run: () => begin(core, work ?? local) }
  }
  if (work === null) return undefined
  if (work.kind === 'install' && state === 'installing') return { work, run: () => continueInstall(core, work) }
  if (work.reinstall !== undefined && !core.isLive) return { work, run: () => install(core, work) }
  if (work.kind === 'restart' && !core.isLive && work.step === 0) {
    return { work, run: () => start(core, { ...work, step: 1 }) }
  }
  return { work, run: () => Promise.resolve(after(state)) }
}

/**
 * Determines what happened to the server while no agent watched, and returns the rest of the interrupted work. A
 * running program is only followed again: it never notices the agent's absence.
 */
export const adopt = async (core: ServerCore): Promise<Remainder> => {
  // Commands that were accepted but not begun are forgotten, so that they run when they are delivered again.
  const begun = core.record.work?.commandId
  const commands = core.record.commands.filter((entry) => entry.result !== null || entry.id === begun)
  core.save({ commands })
  await settleUnnamed(core)
  const { task } = core.record
  const observed = task === null ? undefined : await core.deps.driver.recover(task, core.layout)
  if (observed !== undefined) await rejoin(core, observed)
  else if (core.record.state === 'stopping') core.move('offline')
  return remainderOf(core, observed)
}
