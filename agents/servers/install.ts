import { noteLine, stepFailed, type NoteLine } from '../console/notes.ts'
import { AgentError } from '../platform/agent-error.ts'
import type { TaskExit } from '../runtime/driver/task-handle.ts'
import { OK, refusal, stopFirst } from './power.ts'
import { endParams } from './server-end.ts'
import type { ServerCore } from './server-core.ts'
import type { CommandResult, Work } from './state-file.ts'

const MAX_ATTEMPTS = 3

type StepEnd = { readonly is: 'exited'; readonly exit: TaskExit } | { readonly is: 'never-started' }

const taskIdOf = (work: Work, attempt: number): string => `${work.commandId ?? 'local'}-i${work.step}-${attempt}`

/** Runs the template's installation programs one after the other, each to its end. */
export const install = async (core: ServerCore, work: Work): Promise<CommandResult> => {
  if (core.isLive) return refusal('RUNNING', 'A running server cannot be installed.')
  core.moveFirst('installing', { work, task: null, exit: null, restartAtMs: null })
  for (const listener of core.listeners) listener.installStarted()
  return continueInstall(core, work)
}

/** Continues at the recorded step and task: used by a restarted agent that finds an installation. */
export const continueInstall = async (core: ServerCore, work: Work): Promise<CommandResult> => {
  const programs = core.spec?.install ?? []
  try {
    const begun = await emptied(core, work)
    for (let step = begun.step; step < programs.length; step += 1) {
      const exit = await runStep(core, { ...begun, step })
      await core.deps.faults('install.exited')
      if (exit.code !== 0) {
        const params = { step: step + 1, ...endParams(exit) }
        return failed(core, exit, {
          text: stepFailed(params),
          note: noteLine({ code: 'install-step-failed', params }),
        })
      }
    }
    await core.deps.afterInstall(core.layout, core.uid)
  } catch (error) {
    if (!(error instanceof AgentError)) throw error
    const note = noteLine({ code: 'install-failed', params: { detail: error.message } })
    return failed(core, { code: null, signal: null }, { text: error.message, note })
  }
  core.move('offline', { installed: true, task: null, exit: null })
  await forgetInstallTasks(core)
  for (const listener of core.listeners) listener.installCompleted(true)
  return OK
}

/** Removes the files if that was ordered. The record says that it is over before a program of the template runs. */
const emptied = async (core: ServerCore, work: Work): Promise<Work> => {
  const { reinstall: files, ...begun } = work
  if (files === undefined || core.spec === null) return work
  if (files === 'wipe') {
    await core.prepareFiles(core.spec, true)
    await core.deps.faults('install.wiped')
  }
  core.saveFirst({ work: begun })
  return begun
}

/** Stops the server, then installs it again. A restarted agent continues wherever it was. */
export const reinstall = async (core: ServerCore, work: Work): Promise<CommandResult> => {
  const stopped = await stopFirst(core, work)
  return stopped.ok ? install(core, work) : stopped
}

const forgetInstallTasks = async (core: ServerCore): Promise<void> => {
  for (const handle of await core.deps.driver.tasksOf(core.id, core.layout)) {
    if (handle.kind === 'install') await core.forget(handle)
  }
}

const runStep = async (core: ServerCore, work: Work): Promise<TaskExit> => {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const ended = await runAttempt(core, work, attempt)
    if (ended.is === 'exited') return ended.exit
  }
  throw new AgentError('PROGRAM_NOT_STARTED', 'The installation program did not begin.', { retryable: true })
}

const runAttempt = async (core: ServerCore, work: Work, attempt: number): Promise<StepEnd> => {
  const program = core.spec?.install[work.step]
  if (core.spec === null || program === undefined) throw new AgentError('PROGRAM_UNKNOWN', 'No installation program.')
  const handle = core.handle(taskIdOf(work, attempt), 'install')
  const known = core.record.task?.taskId === handle.taskId
  if (!known) {
    core.saveFirst({ work, task: handle, taskAfterSeq: core.console.lastSeq })
    await core.deps.faults('install.recorded')
  }
  const observed = await core.runTask(handle, program, core.spec)
  await core.deps.faults('install.spawned')
  const end: StepEnd = observed.is === 'running' ? { is: 'exited', exit: await core.follow(handle) } : observed
  if (end.is === 'exited') core.console.refresh()
  core.fanout.changed()
  return end
}

const failed = async (
  core: ServerCore,
  exit: Pick<TaskExit, 'code' | 'signal'>,
  why: { readonly text: string; readonly note: NoteLine },
): Promise<CommandResult> => {
  core.move('install_failed', { task: null, exit: { code: exit.code, signal: exit.signal, oom: false } })
  await core.deps.afterInstall(core.layout, core.uid)
  await core.note(why.note)
  for (const listener of core.listeners) listener.installCompleted(false)
  await forgetInstallTasks(core)
  return refusal('INSTALL_FAILED', why.text)
}
