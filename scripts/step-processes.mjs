// The processes of steps before the programs run: installing, building, migrating, seeding. Each leads a process group of
// its own, so that it ends together with whatever it started.
import { spawn } from 'node:child_process'

const FORCE_AFTER_MS = 5_000
const GIVE_UP_AFTER_MS = 8_000

const running = new Set()
let ending = false

/** Like `spawn`; refuses once the steps are being ended. */
export function spawnStep(command, args, options) {
  if (ending) throw new Error('Bakter is stopping.')
  const child = spawn(command, args, { ...options, detached: true })
  running.add(child)
  child.once('error', () => running.delete(child))
  child.once('close', () => running.delete(child))
  return child
}

/** Sends a signal to the whole group (0 asks only); false when nobody is left in it. */
function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal)
    return true
  } catch {
    return false
  }
}

/** Ends all steps with everything they started, and resolves when nothing of it is left. No step starts any more. */
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

/** For programs that do nothing but run steps: a signal ends the steps, and then the program. */
export function endStepsOnSignal() {
  const end = () => void endSteps().then(() => process.exit(1))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, end)
}
