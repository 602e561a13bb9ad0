import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { pidsWithEnvironment } from '../../agents/platform/process-identity.ts'

/** None of a program that has ended since it was found. */
const environmentLines = (pid: number): string[] => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    return []
  }
}

/** The environment of a server's own program, as the kernel has it. */
export const programEnvironment = (dataDir: string, identifier: string): Map<string, string> => {
  const [pid] = pidsWithEnvironment(`HOME=${join(dataDir, 'agent/servers', identifier, 'root')}`)
  const lines = pid === undefined ? [] : environmentLines(pid)
  return new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}
