import fs from 'node:fs'

// CPU, memory, processes and network of a process tree, from the kernel's files, without the engine.

/** The cgroups of a container's first process. Determined once, after its start. */
export type CgroupPlace =
  | { readonly version: 2; readonly pid: number; readonly folder: string }
  | {
      readonly version: 1
      readonly pid: number
      readonly cpu: string
      readonly memory: string
      readonly pids: string
    }

export interface CgroupSample {
  readonly cpuMs: number
  /** Without the file cache, which the kernel can reclaim at any time. */
  readonly memoryBytes: number
  readonly processes: number
  readonly network: { readonly receivedBytes: number; readonly sentBytes: number }
}

export interface KernelFiles {
  /** The file's text, or undefined if it cannot be read. */
  read(file: string): string | undefined
}

export const kernelFiles: KernelFiles = {
  read: (file) => {
    try {
      return fs.readFileSync(file, 'latin1')
    } catch {
      return undefined
    }
  },
}

const ROOT = '/sys/fs/cgroup'

const numberIn = (files: KernelFiles, file: string): number | undefined => {
  const text = files.read(file)
  if (text === undefined) return undefined
  const value = Number.parseInt(text, 10)
  return Number.isFinite(value) ? value : undefined
}

/** The value of a row `name value` of a file such as memory.stat. */
export const fieldOf = (text: string | undefined, name: string): number => {
  const row = text?.split('\n').find((line) => line.startsWith(`${name} `))
  return row === undefined ? 0 : Number.parseInt(row.slice(name.length + 1), 10) || 0
}

/** The cgroups of the process, or undefined without one or if the kernel's files are not mounted here. */
export const locateCgroup = (files: KernelFiles, pid: number): CgroupPlace | undefined => {
  const rows = (files.read(`/proc/${pid}/cgroup`) ?? '')
    .trim()
    .split('\n')
    .map((line) => /^\d+:([^:]*):(.*)$/.exec(line))
  const pathOf = (controller: string): string | undefined =>
    rows.find((row) => row?.[1]?.split(',').includes(controller) === true)?.[2]
  const unified = pathOf('')
  if (files.read(`${ROOT}/cgroup.controllers`) !== undefined && unified !== undefined) {
    return { version: 2, pid, folder: `${ROOT}${unified}` }
  }
  const [cpu, memory, pids] = ['cpuacct', 'memory', 'pids'].map((name) => {
    const path = pathOf(name)
    return path === undefined ? undefined : `${ROOT}/${name}${path}`
  })
  if (cpu === undefined || memory === undefined || pids === undefined) return undefined
  return { version: 1, pid, cpu, memory, pids }
}

/**
 * All traffic of the process's network except its loopback. Columns: name, then received bytes, ..., sent bytes at the
 * ninth.
 */
export const networkOf = (table: string): CgroupSample['network'] => {
  let receivedBytes = 0
  let sentBytes = 0
  for (const row of table.split('\n')) {
    const [name = '', values] = row.split(':')
    if (values === undefined || name.trim() === 'lo') continue
    const columns = values.trim().split(/\s+/)
    receivedBytes += Number(columns[0] ?? 0)
    sentBytes += Number(columns[8] ?? 0)
  }
  return { receivedBytes, sentBytes }
}

/** The cgroup's current usage; undefined once it is gone. */
export const sampleCgroup = (files: KernelFiles, place: CgroupPlace): CgroupSample | undefined => {
  const network = networkOf(files.read(`/proc/${place.pid}/net/dev`) ?? '')
  if (place.version === 2) {
    const memory = numberIn(files, `${place.folder}/memory.current`)
    if (memory === undefined) return undefined
    const cache = fieldOf(files.read(`${place.folder}/memory.stat`), 'inactive_file')
    return {
      cpuMs: fieldOf(files.read(`${place.folder}/cpu.stat`), 'usage_usec') / 1_000,
      memoryBytes: Math.max(0, memory - cache),
      processes: numberIn(files, `${place.folder}/pids.current`) ?? 0,
      network,
    }
  }
  const memory = numberIn(files, `${place.memory}/memory.usage_in_bytes`)
  if (memory === undefined) return undefined
  const cache = fieldOf(files.read(`${place.memory}/memory.stat`), 'total_inactive_file')
  return {
    cpuMs: (numberIn(files, `${place.cpu}/cpuacct.usage`) ?? 0) / 1_000_000,
    memoryBytes: Math.max(0, memory - cache),
    processes: numberIn(files, `${place.pids}/pids.current`) ?? 0,
    network,
  }
}
