import { goThroughChain } from './power.ts'
import type { ServerCore } from './server-core.ts'
import { serverExited } from './server-end.ts'

/** Cleans up after an action that failed in the agent itself, because of a full disk or a bug of ours. */
const settleServer = async (core: ServerCore): Promise<void> => {
  const { task, state } = core.record
  if (task === null || task.kind !== 'server' || !core.isLive) return
  const observed = await core.deps.driver.recover(task, core.layout)
  if (observed.is === 'running') {
    if (!core.isFollowing) void core.follow(task)
    // It may have received the stop already: without the stop, its end would look like a crash.
    if (state === 'stopping') await goThroughChain(core)
    return
  }
  if (core.isFollowing) return
  if (observed.is === 'exited') {
    core.catchUp()
    await serverExited(core, observed.exit)
    return
  }
  core.move('startup_failed', { task: null, exit: null })
}

const settleInstallation = async (core: ServerCore): Promise<void> => {
  const { task, state } = core.record
  if (state !== 'installing') return
  if (task !== null) await core.deps.driver.signal(task, core.layout, 'SIGKILL')
  core.move('install_failed', { task: null, exit: null })
}

/** Makes the record true again by the runtime's state. Throws errors of disk and runtime. */
export const settleAfterFailure = async (core: ServerCore): Promise<void> => {
  await settleServer(core)
  await settleInstallation(core)
}
