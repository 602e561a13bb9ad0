import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

export interface OwnUserAnswer {
  readonly possible: boolean
  /** Why not, as a sentence for the operator. */
  readonly reason: string | null
}

/** The first folder on one of the paths, from the root, that other users may not enter. */
const closedFolder = (paths: readonly string[]): string | undefined => {
  for (const one of paths) {
    const parts = path.dirname(path.resolve(one)).split(path.sep).filter(Boolean)
    for (let depth = 1; depth <= parts.length; depth += 1) {
      const folder = path.join(path.sep, ...parts.slice(0, depth))
      if ((fs.statSync(folder).mode & 0o001) === 0) return folder
    }
  }
  return undefined
}

/** The reason, and its remedy. */
const reasonFor = (paths: readonly string[]): string => {
  const folder = closedFolder(paths)
  return folder === undefined
    ? `Other users cannot run Node or the agent's programs in ${paths[0]}, so all servers run as root: keep Bakter elsewhere.`
    : `Servers run as root, because other users may not pass through ${folder}: chmod o+x ${folder}, or keep Bakter and its data elsewhere.`
}

/** How often a killed probe is repeated. */
const TRIES = 5

const runProbe = (scratch: string, uid: number, readable: readonly string[]): void => {
  const script =
    'const [to, ...files] = process.argv.slice(1); for (const f of files) require("fs").readFileSync(f); require("fs").writeFileSync(to, "")'
  // The full path is used, because a relative one works even below a closed parent folder.
  execFileSync(process.execPath, ['-e', script, path.join(path.resolve(scratch), 'x'), ...readable], {
    cwd: scratch,
    uid,
    gid: uid,
    env: { NODE_ENV: 'production' },
    stdio: 'ignore',
    timeout: 20_000,
  })
}

const wasKilled = (error: unknown): boolean =>
  error instanceof Error && 'signal' in error && error.signal === 'SIGKILL' && !('code' in error)

/**
 * Whether a program can run here under an unprivileged user: tried for real in a scratch folder of the data folder,
 * because it depends on the permissions of every parent folder, of Node and of our own programs.
 */
export const probeOwnUser = (dataFolder: string, uid: number, readable: readonly string[]): OwnUserAnswer => {
  if (process.getuid?.() !== 0) {
    return { possible: false, reason: 'The agent is not root, so all servers run under its own user.' }
  }
  const scratch = path.join(dataFolder, `probe-${process.pid}`)
  try {
    fs.mkdirSync(scratch, { recursive: true, mode: 0o700 })
    fs.chownSync(scratch, uid, uid)
    for (let left = TRIES; ; left -= 1) {
      try {
        runProbe(scratch, uid, readable)
        return { possible: true, reason: null }
      } catch (error) {
        // The shim of a server with this user that outlived the previous agent ends all of the user's processes when
        // its program ends. Such a kill says nothing about permissions.
        if (!wasKilled(error) || left === 1) throw error
      }
    }
  } catch {
    const paths = [path.join(path.resolve(dataFolder), 'x'), process.execPath, ...readable]
    return { possible: false, reason: reasonFor(paths) }
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true })
  }
}
