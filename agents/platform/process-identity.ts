import fs from 'node:fs'

/** A pid with its start time identifies one process for ever, even if the pid is reused. */
export interface ProcessIdentity {
  readonly pid: number
  /** Field 22 of /proc/<pid>/stat: clock ticks since boot. */
  readonly startTicks: string
}

/** Fields of /proc/<pid>/stat after the program's name, or undefined without such a process. */
export const statFields = (pid: number): string[] | undefined => {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

/** In the folder of a server's state, where only the agent writes: the process that works on the server's files. */
export const FILE_WORKER_RECORD = 'file-worker.json'

/** The process of a record; undefined without one, and for a damaged one. */
export const recordedIdentity = (file: string): ProcessIdentity | undefined => {
  try {
    const { pid, startTicks } = JSON.parse(fs.readFileSync(file, 'utf8')) as Partial<ProcessIdentity>
    return typeof pid === 'number' && typeof startTicks === 'string' ? { pid, startTicks } : undefined
  } catch {
    return undefined
  }
}

export const identityOf = (pid: number): ProcessIdentity => ({ pid, startTicks: statFields(pid)?.[19] ?? '' })

/** False for a zombie too: it no longer runs, whether or not its parent has reaped it. */
export const isAlive = (identity: ProcessIdentity): boolean => {
  const fields = statFields(identity.pid)
  return fields !== undefined && fields[0] !== 'Z' && fields[19] === identity.startTicks
}

/** Pids whose environment contains `NAME=value`. Finds the processes of a killed shim. */
export const pidsWithEnvironment = (entry: string): number[] =>
  fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return fs.readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(entry)
      } catch {
        return false
      }
    })
    .map(Number)
