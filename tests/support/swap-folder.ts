import { spawn } from 'node:child_process'

/** Swaps `race/dir` between a folder and a link to the outside, as fast as it can. */
const SCRIPT = `
  const fs = require('node:fs')
  const [root, outside] = process.argv.slice(1)
  process.chdir(root)
  fs.mkdirSync('race/real', { recursive: true })
  for (;;) {
    try { fs.symlinkSync(outside, 'race/link') } catch {}
    try { fs.renameSync('race/dir', 'race/real2') } catch {}
    try { fs.renameSync('race/link', 'race/dir') } catch {}
    try { fs.renameSync('race/dir', 'race/link') } catch {}
    try { fs.renameSync('race/real2', 'race/dir') } catch {}
  }`

/** A program of the server, under its user if it has one of its own. `race/real` is there once it swaps. */
export function swapFolderForLink(where: {
  readonly root: string
  readonly outside: string
  readonly uid: number | undefined
}): { readonly end: () => Promise<void> } {
  const user = where.uid === undefined ? {} : { uid: where.uid, gid: where.uid }
  const args = ['-e', SCRIPT, where.root, where.outside]
  const program = spawn(process.execPath, args, { stdio: 'ignore', cwd: '/', ...user })
  return {
    end: async () => {
      const ended = new Promise((resolve) => program.once('exit', resolve))
      program.kill('SIGKILL')
      await ended
    },
  }
}
