// Processes that still run for a data folder whose supervisor is gone.
import { readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

const partsOf = (pid, file) => readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0')

/** Ids of the other processes for which `test` is true; ended ones and those without access are skipped. */
function find(test) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return test(pid)
      } catch {
        return false
      }
    })
    .map(Number)
}

/** Site, control plane and agent of a killed supervisor: they are about to end. */
export const programsOf = (dataDir) =>
  find((pid) => {
    const environment = partsOf(pid, 'environ')
    return environment.includes(`BAKTER_DATA=${dataDir}`) && environment.includes('BAKTER_SUPERVISED=1')
  })

/** Game servers and their shims whose agent was killed: they outlive it. */
export function serversOf(dataDir) {
  const folder = join(dataDir, 'agent', 'servers')
  const isBelow = (path) => path.startsWith(`${folder}/`)
  return find((pid) => {
    // The last argument of a shim is its folder; a server without a shim has its own folder as working directory.
    if (isBelow(partsOf(pid, 'cmdline').findLast((part) => part !== '') ?? '')) return true
    const isServer = partsOf(pid, 'environ').some((entry) => entry.startsWith('BAKTER_TASK='))
    return isServer && isBelow(readlinkSync(`/proc/${pid}/cwd`))
  })
}
