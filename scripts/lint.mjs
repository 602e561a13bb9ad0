// `npm run lint`: formatting, code rules, architecture rules and the tree itself, each with a verdict. `npm run lint --
// oxlint tidy` runs only the named ones; with file names, formatting and code rules check only these files.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)
const ROOTS = ['src', 'control-plane', 'agents', 'tests', 'scripts', 'payload.config.ts', 'next.config.ts'].filter(
  (path) => existsSync(path),
)

/** The program of an installed package, by its name in node_modules/.bin. */
function bin(packageName, name) {
  const manifestPath = join('node_modules', packageName, 'package.json')
  const { bin: entry } = require(`../${manifestPath}`)
  return join(dirname(manifestPath), typeof entry === 'string' ? entry : entry[name])
}

const asked = process.argv.slice(2)
const files = asked.filter((path) => existsSync(path))
const names = asked.filter((name) => !files.includes(name))
const code = files.filter((path) => /\.(ts|tsx|mjs|cjs)$/.test(path) && ROOTS.some((root) => path.startsWith(root)))

const CHECKS = {
  // The cache depends on content, options and version, so unchanged files are skipped.
  prettier: () => {
    const cache = ['--cache', '--cache-strategy', 'content', '--cache-location', join('.build', 'prettier')]
    const command = [bin('prettier', 'prettier'), '--check', '--log-level', 'warn']
    return files.length === 0 ? [...command, ...cache, '.'] : [...command, '--ignore-unknown', ...files]
  },
  oxlint: () => {
    const command = [bin('oxlint', 'oxlint'), '--deny-warnings']
    if (files.length === 0) return [...command, ...ROOTS]
    return code.length === 0 ? undefined : [...command, '--no-error-on-unmatched-pattern', ...code]
  },
  'dependency-cruiser': () => [
    bin('dependency-cruiser', 'depcruise'),
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'err-long',
    ...ROOTS,
  ],
  tidy: () => [join('scripts', 'tidy.mjs')],
}

const unknown = names.filter((name) => !(name in CHECKS))
if (unknown.length > 0) {
  console.error(`There is no check named ${unknown.join(', ')}. There are: ${Object.keys(CHECKS).join(', ')}.`)
  process.exit(2)
}

/** Runs a check and resolves with its verdict; what it complains of stands before that. */
function verdictOf(name, argv) {
  const start = performance.now()
  return new Promise((done) => {
    const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'], timeout: 600_000 })
    const said = { stdout: '', stderr: '' }
    for (const stream of ['stdout', 'stderr'])
      child[stream].setEncoding('utf8').on('data', (chunk) => (said[stream] += chunk))
    child.once('error', (error) => (said.stderr += error.message))
    child.once('close', (status) => {
      const seconds = ((performance.now() - start) / 1000).toFixed(1)
      const complaints = status === 0 ? '' : `${said.stdout}${said.stderr}`.trim().concat('\n')
      console.log(`${complaints}${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
      done(status === 0)
    })
  })
}

const waiting = Object.entries(CHECKS)
  .filter(([name]) => names.length === 0 || names.includes(name))
  .map(([name, command]) => [name, command()])
  .filter(([, argv]) => argv !== undefined)
const verdicts = []
/** Each of them takes one core: as many run side by side as there are cores, the longest first. */
async function runChecks() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) verdicts.push(await verdictOf(...next))
}
await Promise.all(Array.from({ length: availableParallelism() }, runChecks))
process.exitCode = verdicts.every(Boolean) ? 0 : 1
