// The changes of the clone since it left the main branch: committed, uncommitted, and untracked files.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

function git(root, ...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })
  return status === 0 ? stdout : undefined
}

const listed = (output) => (output ?? '').split('\0').filter((path) => path !== '')

/** The base commit of a change: the last one shared with the local main branch, else with that of origin. */
function baseOf(root, since) {
  const branches = since === undefined ? ['main', 'origin/main'] : [since]
  for (const branch of branches) {
    const commit = git(root, 'merge-base', 'HEAD', branch)?.trim()
    if (commit !== undefined) return { branch, commit }
  }
  throw new Error(`git knows no commit that this clone shares with ${branches.join(' or ')}.`)
}

/**
 * `files` are all existing files, `changed` those that differ from the base or are new, `gone` the deleted ones among
 * them.
 */
export function changedFiles({ root = '.', since } = {}) {
  const { branch, commit } = baseOf(root, since)
  const others = listed(git(root, 'ls-files', '-z', '--others', '--exclude-standard'))
  const files = [...new Set([...listed(git(root, 'ls-files', '-z')), ...others])].filter((path) =>
    existsSync(join(root, path)),
  )
  const differing = listed(git(root, 'diff', '-z', '--name-only', '--no-renames', commit))
  const changed = [...new Set([...differing, ...others])].sort()
  return { branch, commit, files, changed, gone: changed.filter((path) => !existsSync(join(root, path))) }
}
