// The processes of steps before the programs: installing, building, migrating, seeding. Each runs under a guard that
// leads its own process group, so that it ends together with its children, even if this process is killed.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import { handLock } from './process-lock.mjs'

const GUARD = fileURLToPath(new URL('./step-guard.mjs', import.meta.url))
const FORCE_AFTER_MS = 5_000
const GIVE_UP_AFTER_MS = 8_000

const running = new Set()
let ending = false

/**
 * Like `spawn`, with fewer options; the step has no stdin. Refuses once the steps are being ended. `lockFile` is a lock
 * of this process that must outlive the step: if this process is killed, so is the step, but slightly later.
 */
export function spawnStep(command, args, { env, stdio = ['ignore', 'pipe', 'pipe'], uid, gid, lockFile }) {
  if (ending) throw new Error('Bakter is stopping.')
  const [, stdout, stderr] = stdio
  const child = spawn(process.execPath, [GUARD], { env, detached: true, stdio: ['pipe', stdout, stderr] })
  child.stdin.on('error', () => {})
  child.stdin.write(`${JSON.stringify({ command, args, options: { uid, gid } })}\n`)
  if (lockFile !== undefined && child.pid !== undefined) handLock(lockFile, child.pid)
  running.add(child)
  child.once('error', () => running.delete(child))
  child.once('close', () => running.delete(child))
  return child
}

/** Sends a signal to the whole group (0 only checks); false if the group is empty. */
function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal)
    return true
  } catch {
    return false
  }
}

/** Ends one step and all of its children at once. */
export function killStep(child) {
  if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL')
}

/** Ends all steps and their children, and resolves when all are gone. No step can start afterwards. */
export async function endSteps() {
  ending = true
  const groups = [...running].map(({ pid }) => pid).filter((pid) => pid !== undefined)
  for (const pid of groups) signalGroup(pid, 'SIGTERM')
  const start = performance.now()
  let left = groups
  while ((left = left.filter((pid) => signalGroup(pid, 0))).length > 0) {
    const waitedMs = performance.now() - start
    if (waitedMs > GIVE_UP_AFTER_MS) return
    if (waitedMs > FORCE_AFTER_MS) for (const pid of left) signalGroup(pid, 'SIGKILL')
    await new Promise((done) => setTimeout(done, 50))
  }
}

/** For programs that only run steps: a signal ends the steps, and then the program. */
export function endStepsOnSignal() {
  // One Ctrl-C arrives twice, from the terminal and from npm.
  let ended
  const end = () => (ended ??= endSteps().then(() => process.exit(1)))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end)
}
