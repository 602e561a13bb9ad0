import fs from 'node:fs'

/** A pid together with its start time names one process for ever, also when the pid is used again. */
export interface ProcessIdentity {
  readonly pid: number
  /** Field 22 of /proc/<pid>/stat: clock ticks since boot. */
  readonly startTicks: string
}

/** Fields of /proc/<pid>/stat after the program's name, or undefined when there is no such process. */
export const statFields = (pid: number): string[] | undefined => {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

export const identityOf = (pid: number): ProcessIdentity => ({ pid, startTicks: statFields(pid)?.[19] ?? '' })

/** False also for a zombie: it runs no more, whether or not its parent has noticed. */
export const isAlive = (identity: ProcessIdentity): boolean => {
  const fields = statFields(identity.pid)
  return fields !== undefined && fields[0] !== 'Z' && fields[19] === identity.startTicks
}

/** Pids whose environment holds `NAME=value`. Used to find what a killed shim has left behind. */
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
