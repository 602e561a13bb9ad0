import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type ProgramName = 'site' | 'control-plane' | 'agent'

const readProc = (pid: number, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

const processIds = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

const parentOf = (pid: number): number => {
  const stat = readProc(pid, 'stat')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

function descendantsOf(root: number): number[] {
  const parents = new Map(processIds().map((pid) => [pid, parentOf(pid)]))
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid)
    return parent !== undefined && (parent === root || (parent > 1 && isBelow(parent)))
  }
  return [...parents.keys()].filter(isBelow)
}

/** Process id of the supervisor that runs the demo in this data folder. */
export function supervisorOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'supervisor.pid'), 'utf8').split(' ')[0])
}

/** Process id of one program of the demo, looked up among the supervisor's children. */
export function programOf(dataDir: string, program: ProgramName): number {
  const pid = descendantsOf(supervisorOf(dataDir)).find((one) =>
    readProc(one, 'cmdline').includes(`dist/${program}.mjs`),
  )
  if (pid === undefined) throw new Error(`${program} does not run in ${dataDir}.`)
  return pid
}

/** The environment of a running program of the demo. */
export function environmentOf(pid: number): Record<string, string> {
  const lines = readProc(pid, 'environ').split('\0').filter(Boolean)
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}

/** Ids of all processes whose command line or environment names the data folder: programs, shims, servers, database. */
export function processesOf(dataDir: string): number[] {
  return processIds().filter(
    (pid) =>
      pid !== process.pid && (readProc(pid, 'cmdline').includes(dataDir) || readProc(pid, 'environ').includes(dataDir)),
  )
}
