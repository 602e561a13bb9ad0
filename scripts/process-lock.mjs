// Files that say which process uses something. A process is named by its id and by when it started, so that a file whose
// process was killed holds nobody up, also when the id is used again.
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

const LOOK_EVERY_MS = 200

/** When the process started, in ticks since boot. Undefined when it has ended, also while nobody has waited for it. */
function startTicks(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return 'ZX'.includes(fields[0]) ? undefined : fields[19]
  } catch {
    return undefined
  }
}

const nameOf = (pid) => `${pid} ${startTicks(pid)}\n`

function contentOf(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  }
}

/** Id of the running process that holds the lock, or undefined. */
export function holderOf(file) {
  const [pid, ticks] = (contentOf(file) ?? '').trim().split(' ')
  return ticks !== undefined && startTicks(pid) === ticks ? Number(pid) : undefined
}

const LOOK_AGAIN_MS = 2
const rest = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS)

/**
 * Removes the file of an ended process. Whoever does it holds a lock that is named after that process: a slow one would else
 * take away the file of the process that was quicker, and a third one would find nothing there.
 */
function removeStale(file) {
  const left = contentOf(file)
  if (left === undefined) return
  const guard = `${file}.after-${left.replaceAll(/\W+/g, '-')}`
  if (tryLock(guard) !== undefined) return void rest()
  try {
    // No process places a file over another, and what an ended process wrote is never written again.
    if (contentOf(file) === left && holderOf(file) === undefined) rmSync(file, { force: true })
  } finally {
    releaseLock(guard)
  }
}

/** Puts a whole file in place unless there is one. Returns whether it did. */
function place(whole, file) {
  try {
    linkSync(whole, file)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    // Some file systems have no links; two that start in the same millisecond are not told apart there.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(error.code)) throw error
    renameSync(whole, file)
    return true
  }
}

/** Takes the lock for this process. Returns undefined when it has it, else the id of the process that holds it. */
export function tryLock(file) {
  const own = `${file}.${process.pid}.new`
  writeFileSync(own, nameOf(process.pid), { mode: 0o600 })
  try {
    for (;;) {
      const holder = holderOf(file)
      if (holder !== undefined) return holder
      removeStale(file)
      if (place(own, file)) return undefined
    }
  } finally {
    rmSync(own, { force: true })
  }
}

/** Hands a lock that this process holds to a process of its own, which goes on should this one be killed. */
export function handLock(file, pid) {
  writeFileSync(`${file}.${pid}`, nameOf(pid), { mode: 0o600 })
  renameSync(`${file}.${pid}`, file)
}

export const releaseLock = (file) => rmSync(file, { force: true })

/** Waits for the lock, and says once for whom. Resolves when this process has it. */
export async function waitForLock(file, sayWhy) {
  let isSaid = false
  for (let holder = tryLock(file); holder !== undefined; holder = tryLock(file)) {
    if (!isSaid) sayWhy(holder)
    isSaid = true
    await new Promise((done) => setTimeout(done, LOOK_EVERY_MS))
  }
}
