import { readdirSync, readFileSync } from 'node:fs'

/** Ids of the process and of everything it started, directly or not, that still has it as an ancestor. */
export function processTree(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8')
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      children.set(parent, [...(children.get(parent) ?? []), Number(entry)])
    } catch {
      // The process ended between the listing and the reading.
    }
  }
  const tree = [pid]
  for (let at = 0; at < tree.length; at += 1) tree.push(...(children.get(tree[at] ?? -1) ?? []))
  return tree
}

/** The processes that are still running; a zombie that nobody has reaped counts as ended. */
export function stillRunning(pids: readonly number[]): number[] {
  return pids.filter((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      return stat.slice(stat.lastIndexOf(')') + 2)[0] !== 'Z'
    } catch {
      return false
    }
  })
}

/**
 * Field 22 of a process's stat. With the id it identifies one process, also when the id is reused; '' when it has
 * ended.
 */
const startOf = (pid: number): string => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

/** Remembers the current processes; the returned function names those that are still running. */
export function watchProcesses(pids: readonly number[]): () => number[] {
  const starts = new Map(pids.map((pid) => [pid, startOf(pid)]))
  return () => stillRunning(pids).filter((pid) => startOf(pid) === starts.get(pid))
}

/** Ids of the running processes whose command line or environment names the text, such as a data folder. */
export function processesNaming(text: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .map(Number)
    .filter((pid) =>
      ['cmdline', 'environ'].some((file) => {
        try {
          return readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(text)
        } catch {
          return false
        }
      }),
    )
}
