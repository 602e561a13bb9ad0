import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

export interface OwnUserAnswer {
  readonly possible: boolean
  /** Why not, as a sentence for the operator. */
  readonly reason: string | null
}

/** The first folder on the way to one of the paths through which others may not pass, from the root on. */
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

/** Why, and how it is mended. */
const reasonFor = (paths: readonly string[]): string => {
  const folder = closedFolder(paths)
  return folder === undefined
    ? `Other users cannot run Node or the agent's programs in ${paths[0]}, so all servers run as root: keep Bakter elsewhere.`
    : `Servers run as root, because other users may not pass through ${folder}: chmod o+x ${folder}, or keep Bakter and its data elsewhere.`
}

/** How often a probe that was killed is repeated. */
const TRIES = 5

const runProbe = (scratch: string, uid: number, readable: readonly string[]): void => {
  const script =
    'const [to, ...files] = process.argv.slice(1); for (const f of files) require("fs").readFileSync(f); require("fs").writeFileSync(to, "")'
  // The whole path is written: from the working folder a file is reached although a parent folder is closed.
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
 * Whether a program can run here under a user that owns nothing: tried for real in a scratch folder of the data folder,
 * because permissions of every parent folder, of Node and of our own programs decide it.
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
        // The shim of a server with this user, which outlived the agent of before, ends whatever the user runs when its
        // program ends. That says nothing of what the user may do.
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
