// Lock files of running processes. A process is identified by its id and start time, so that the file of a killed
// process blocks nobody, even if the id is reused.
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

const LOOK_EVERY_MS = 200

/** The start time of the process, in ticks since boot. Undefined if it has ended, even before it is reaped. */
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
 * Removes the file of an ended process, under a lock named after that process: otherwise a slow process would remove
 * the file of a faster one, and a third one would find nothing there.
 */
function removeStale(file) {
  const left = contentOf(file)
  if (left === undefined) return
  const guard = `${file}.after-${left.replaceAll(/\W+/g, '-')}`
  if (tryLock(guard) !== undefined) return void rest()
  try {
    // No process replaces an existing file, and the content of an ended process is never written again.
    if (contentOf(file) === left && holderOf(file) === undefined) rmSync(file, { force: true })
  } finally {
    releaseLock(guard)
  }
}

/** Puts a complete file in place unless there is one. Returns whether it did. */
function place(whole, file) {
  try {
    linkSync(whole, file)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    // Some file systems have no hard links; there two starts within one millisecond are not distinguished.
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

/** Hands a lock of this process to a child process, which keeps it if this one is killed. */
export function handLock(file, pid) {
  writeFileSync(`${file}.${pid}`, nameOf(pid), { mode: 0o600 })
  renameSync(`${file}.${pid}`, file)
}

export const releaseLock = (file) => rmSync(file, { force: true })

/** Waits for the lock, and prints its holder once. Resolves when this process has it. */
export async function waitForLock(file, sayWhy) {
  let isSaid = false
  for (let holder = tryLock(file); holder !== undefined; holder = tryLock(file)) {
    if (!isSaid) sayWhy(holder)
    isSaid = true
    await new Promise((done) => setTimeout(done, LOOK_EVERY_MS))
  }
}
