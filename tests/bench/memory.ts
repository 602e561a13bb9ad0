import { readFileSync } from 'node:fs'
import { programOf, type ProgramName } from '../support/demo-processes.ts'
import type { Section } from './report.ts'

/** Resident memory in MiB. */
export function residentMiB(pid: number): number {
  const kib = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  if (kib === undefined) throw new Error(`Process ${pid} has no resident memory.`)
  return Number(kib) / 1_024
}

/** How long the programs are left alone before their memory is read. */
const SETTLE_MS = 10_000

/** Resident memory of each program, a while after the start and before any load; beside it an empty Node process. */
export async function idleMemory(dataDir: string): Promise<Section> {
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  const names: ProgramName[] = ['site', 'control-plane', 'agent']
  const bare = { what: 'this benchmark process', value: residentMiB(process.pid) }
  return {
    title: 'Idle memory',
    method: 'Resident memory after start, before any request but the health checks.',
    figures: names.map((name) => ({
      what: name,
      value: residentMiB(programOf(dataDir, name)),
      unit: 'MiB',
      against: bare,
    })),
  }
}
