import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const FETCHED = /^npm http fetch GET 200 \S*\/((?:@[^/]+\/)?[^/]+)\/-\/\S+?-(\d[^/]*)\.tgz/

/** npm reports each fetched package; people want names, not addresses and cache states. */
const readable = (line: string): string | undefined => {
  const fetched = FETCHED.exec(decodeURIComponent(line.replaceAll('%2f', '/')))
  if (fetched) return `  ${fetched[1]} ${fetched[2]}`
  if (/^npm (http|verbose|silly|info|notice)/.test(line)) return undefined
  return line.startsWith('npm warn Unknown') ? undefined : line
}

/** Runs npm in the working folder and prints its output line by line. Resolves with its exit code. */
export const runNpm = (args: readonly string[]): Promise<number> =>
  new Promise((resolve) => {
    const npm = spawn('npm', [...args, '--loglevel=http', '--no-audit', '--no-fund', '--ignore-scripts'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const pipe of [npm.stdout, npm.stderr]) {
      createInterface({ input: pipe }).on('line', (line) => {
        const text = readable(line)
        if (text !== undefined) console.log(text)
      })
    }
    npm.on('error', (error) => {
      console.log(`npm cannot be run: ${error.message}`)
      resolve(127)
    })
    npm.on('close', (code) => resolve(code ?? 1))
  })
