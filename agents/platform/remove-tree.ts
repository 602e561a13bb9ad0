import { AgentError } from './agent-error.ts'
import { runCommandWithin, type RunCommand } from './run-command.ts'

/** Millions of files on a slow disk. */
const TIMEOUT_MS = 6 * 3_600_000

/**
 * Removes an entry and everything in it, links never followed; nothing is there afterwards, or was before. A process of its own does
 * it: Node's removal begins all names of a folder at once, which takes hundreds of megabytes and holds up every server of
 * the node, and it fails where a path is longer than PATH_MAX. Throws `FILES_NOT_REMOVED`.
 */
export const removeTree = async (target: string, run: RunCommand = runCommandWithin(TIMEOUT_MS)): Promise<void> => {
  const { code, stderr } = await run('nice', ['-n', '10', 'rm', '-rf', '--', target])
  if (code !== 0)
    throw new AgentError('FILES_NOT_REMOVED', `The files could not be removed: ${stderr.trim().slice(0, 300)}`)
}
