// `npm test`: all checks in one command. `npm test -- unit lint` runs only the named suites, `--full` the long matrices
// too. `npm test -- changed` runs the tests that the change since the main branch (`--since=REF`) can reach, and with
// `--full` also those that need the build. It installs missing tools, limits each suite's time, and ends with `N
// passed, N failed, N skipped`.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { changedFiles } from './changed-files.mjs'
import { installIfNeeded, sentenceOf } from '../start/preflight.mjs'
import { reachedTests } from './reached-tests.mjs'
import { endSteps } from '../start/step-processes.mjs'
import { runInLanes } from './suite-lanes.mjs'
import { countsFrom, playwrightCounts, verdictCounts, vitestCounts } from './test-counts.mjs'
import { failuresFrom, playwrightFailures, vitestFailures } from './test-failures.mjs'
import { installTools, missingTools } from './test-tools.mjs'

const REPORTS = join('.build', 'reports')
const bin = (path) => join('node_modules', path)
const report = (name) => join(REPORTS, `${name}.json`)

const vitest = (project, workers = 2) => ({
  command: `${bin('vitest/vitest.mjs')} run -c tests/vitest.config.ts --project ${project}*`
    .concat(` --reporter=default --reporter=json --outputFile.json=${report(project)}`)
    .split(' '),
  env: { BAKTER_TEST_WORKERS: String(workers) },
  counts: (outcome) => countsFrom(report(project), vitestCounts, outcome),
  failures: () => failuresFrom(report(project), vitestFailures),
})
const playwright = (name, config) => ({
  command: [bin('@playwright/test/cli.js'), 'test', '-c', `tests/${config}`],
  env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report(name) },
  counts: (outcome) => countsFrom(report(name), playwrightCounts, outcome),
  failures: () => failuresFrom(report(name), playwrightFailures),
})
const HEADLESS_SHELL = 'chromium-headless-shell'
/** Clients and archivers that everybody has, to hold our own against. */
const FILE_TOOLS = ['sftp', 'ssh-keygen', 'lftp', 'unzip', 'xz', 'bzip2', 'zstd']
/** A mailbox and a mail server of the world. */
const MAIL_TOOLS = ['dovecot', 'exim4']
/** A virus scanner; its tests bring their signature along. */
const SCAN_TOOLS = ['clamd']
const DOCKER_TOOLS = ['dockerd', 'iptables', 'ip', 'busybox']
const verdict = (...command) => ({ command, counts: verdictCounts })

/**
 * Suites in their order: the quick ones first, then those that need the build. Two lanes keep two cores busy: suites that
 * mostly wait, and one that needs a single core, run in parallel with the others. The minutes end a suite that hangs: a
 * machine of half the usual speed stays within them.
 */
const SUITES = {
  types: { ...verdict(bin('typescript/bin/tsc'), '--noEmit'), minutes: 8, isBeside: true },
  lint: { ...verdict('scripts/lint.mjs'), minutes: 8, isBeside: true },
  unit: { ...vitest('unit'), minutes: 10, tools: ['ssh-keygen'] },
  build: { ...verdict('scripts/build.mjs'), minutes: 10 },
  docker: { ...vitest('docker'), minutes: 20, tools: DOCKER_TOOLS, needsRoot: true, isBeside: true },
  // Part of its tests' time is waiting: a third worker uses the rest of two cores.
  integration: {
    ...vitest('integration', 3),
    minutes: 45,
    tools: ['redis-server', HEADLESS_SHELL, ...FILE_TOOLS, ...MAIL_TOOLS, ...SCAN_TOOLS],
  },
  system: { ...vitest('system'), minutes: 15, needs: 'build', tools: ['redis-server', 'caddy'], isBeside: true },
  e2e: { ...playwright('e2e', 'playwright.config.ts'), minutes: 55, needs: 'build', tools: [HEADLESS_SHELL, 'sftp'] },
  'e2e-docker': {
    ...playwright('e2e-docker', 'playwright.docker.config.ts'),
    minutes: 20,
    needs: 'build',
    tools: [HEADLESS_SHELL, ...DOCKER_TOOLS],
    needsRoot: true,
    isBeside: true,
  },
}

const share = (reach) => (reach === 'all' ? 'all' : reach.length)

/**
 * The suites that the change can reach, with their files; those that need the build are skipped unless everything is
 * requested.
 */
function reachedSuites(named) {
  const since = process.argv.find((argument) => argument.startsWith('--since='))?.slice('--since='.length)
  const change = changedFiles({ since })
  const reached = reachedTests(change)
  console.log(`Changed since ${change.commit.slice(0, 8)} (${change.branch}): ${change.changed.length} files.`)
  const isBuildNeeded = isFull && named.some(([name, { needs }]) => needs === 'build' && name in reached)
  if (isBuildNeeded) reached.build = 'all'
  const all = named.filter(([name]) => name in reached)
  const leftOut = isFull ? [] : all.filter(([, { needs }]) => needs === 'build').map(([name]) => [name, reached[name]])
  const chosen = all
    .filter(([, { needs }]) => isFull || needs !== 'build')
    .map(([name, suite]) => [
      name,
      reached[name] === 'all' ? suite : { ...suite, command: [...suite.command, ...reached[name]] },
    ])
  const shares = chosen.map(([name]) => `${name} (${share(reached[name])})`)
  console.log(`They reach ${shares.length === 0 ? 'nothing that runs without the build' : shares.join(', ')}.`)
  return { chosen, leftOut }
}

/** Minutes that the long matrices add to a suite. */
const FULL_EXTRA_MINUTES = { integration: 35, docker: 15 }

/**
 * The share of the long matrices: all with `--full`, else a share that changes with the commit (see
 * tests/support/slice.ts). A preset number stays, so that another commit's share can be repeated.
 */
function sliceSettings(isFull) {
  if (isFull) return { BAKTER_TEST_SLICE: '', LEDGER_OPERATIONS: '100000', MONEY_OPERATIONS: '100000' }
  const { stdout } = spawnSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' })
  const commit = /^[0-9a-f]{8}/.exec(stdout ?? '')?.[0] ?? '0'
  return { BAKTER_TEST_SLICE: process.env.BAKTER_TEST_SLICE || String(Number.parseInt(commit, 16)) }
}

/** npm forwards a Ctrl-C that the terminal has already sent to all: within this time they are one press. */
const SAME_PRESS_MS = 1_000

const running = new Set()
let interruption
let interruptedAt = -Infinity
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    const now = performance.now()
    if (now - interruptedAt < SAME_PRESS_MS) return
    for (const end of running) end(interruption === undefined ? signal : 'SIGKILL')
    interruptedAt = now
    interruption = signal
    void endSteps()
  })
}

/**
 * Runs a suite in its own process group and ends the group after its time limit. Its output is written at once, or by
 * `write` if it runs beside another.
 */
function runProcess({ command, env, minutes }, write) {
  return new Promise((done) => {
    const child = spawn(process.execPath, command, {
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...env },
      stdio: write === undefined ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const end = (signal) => {
      try {
        process.kill(-child.pid, signal)
      } catch {
        // It has already ended.
      }
    }
    running.add(end)
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', write)
    const timers = [
      setTimeout(() => {
        const sentence = `The suite did not end within ${minutes} minutes; it is stopped.\n`
        if (write === undefined) process.stdout.write(sentence)
        else write(sentence)
        end('SIGTERM')
        timers.push(setTimeout(() => end('SIGKILL'), 15_000))
      }, minutes * 60_000),
    ]
    const finish = (outcome) => {
      for (const timer of timers) clearTimeout(timer)
      running.delete(end)
      done(outcome)
    }
    child.once('error', (error) => finish({ isGood: false, how: error.message }))
    child.once('close', (code, signal) =>
      finish({ isGood: code === 0, how: signal === null ? `exit code ${code}` : `ended by ${signal}` }),
    )
  })
}

const words = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const isChanged = words.includes('changed')
const asked = words.filter((name) => name !== 'changed')
const unknown = asked.filter((name) => !(name in SUITES))
const refusal =
  unknown.length > 0
    ? `There is no suite ${unknown.join(', ')}; there are ${Object.keys(SUITES).join(', ')}, and changed.`
    : undefined
if (refusal !== undefined) {
  console.error(refusal)
  process.exit(2)
}
const isFull = process.argv.includes('--full')
const slice = sliceSettings(isFull)
try {
  await installIfNeeded()
} catch (error) {
  console.error(interruption === undefined ? sentenceOf(error) : 'Interrupted.')
  process.exit(1)
}
rmSync(REPORTS, { recursive: true, force: true })
mkdirSync(REPORTS, { recursive: true })

const named = Object.entries(SUITES).filter(([name]) => asked.length === 0 || asked.includes(name))
const { chosen, leftOut } = isChanged ? reachedSuites(named) : { chosen: named, leftOut: [] }
const problem = installTools([...new Set(chosen.flatMap(([, suite]) => suite.tools ?? []))])
if (problem !== undefined) console.log(`Note: ${problem}.`)

/** Why a suite cannot run here, and how that counts. */
function obstacleOf(suite) {
  const lacking = missingTools(suite.tools ?? [])
  if (lacking.length > 0) return [`${lacking.join(', ')} missing and not installable here`, 'skipped']
  if (suite.needsRoot && process.getuid() !== 0)
    return ['it starts Docker daemons in network namespaces, which only root can', 'skipped']
  if (failed.has(suite.needs)) return [`${suite.needs} failed`, 'failed']
  return undefined
}

const failed = new Set()

async function runSuite(name, suite, { isBeside }) {
  const start = performance.now()
  const seconds = () => (performance.now() - start) / 1000
  const obstacle = obstacleOf(suite)
  if (obstacle !== undefined) {
    const [why, count] = obstacle
    const counts = { passed: 0, failed: 0, skipped: 0, [count]: 1 }
    return { name, counts, remark: `not run: ${why}`, failures: [], isLeftOut: true, seconds: seconds() }
  }
  console.log(isBeside ? `\n== ${name} begins beside the others` : `\n== ${name}`)
  const minutes = suite.minutes + (isFull ? (FULL_EXTRA_MINUTES[name] ?? 0) : 0)
  const output = []
  const write = isBeside ? (chunk) => output.push(Buffer.from(chunk)) : undefined
  // Its tests use other ports and users than those of parallel suites.
  const env = { ...slice, ...suite.env, BAKTER_TEST_BESIDE: isBeside ? '1' : '' }
  const counts = suite.counts(await runProcess({ ...suite, minutes, env }, write))
  if (counts.failed > 0) failed.add(name)
  return {
    name,
    counts,
    remark: counts.reason ?? '',
    isLeftOut: false,
    failures: suite.failures?.() ?? [],
    seconds: seconds(),
    output: Buffer.concat(output),
  }
}

const results = await runInLanes(chosen, {
  run: runSuite,
  tell: ({ name, output }) => process.stdout.write(`\n== ${name}, which ran beside the others\n${output ?? ''}`),
  isStopped: () => interruption !== undefined,
})

for (const { name, failures } of results) {
  for (const { where, lines } of failures) console.log(`\nFailed in ${name}: ${where}\n  ${lines.join('\n  ')}`)
}
console.log('')
if (slice.BAKTER_TEST_SLICE !== '') {
  const share = `the share of BAKTER_TEST_SLICE=${slice.BAKTER_TEST_SLICE}`
  console.log(`Long matrices, and journeys that are not of every run: ${share}; npm run test:full takes all.`)
}
const total = { passed: 0, failed: 0, skipped: 0 }
for (const { name, counts, remark, seconds } of results) {
  for (const key of Object.keys(total)) total[key] += counts[key]
  const figures = `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`
  console.log(
    `${name.padEnd(12)} ${seconds.toFixed(1).padStart(7)} s  ${figures}${remark === '' ? '' : `  (${remark})`}`,
  )
}
if (interruption !== undefined) console.log(`Interrupted by ${interruption}: the other suites did not run.`)
for (const [name, reach] of leftOut) {
  const which =
    reach === 'all' ? 'all of them' : reach.map((path) => path.replace(/^tests\/|\.(test|e2e)\.ts$/g, '')).join(', ')
  console.log(`Left out, since it needs the build: ${name}: ${which}. npm test -- changed --full runs it.`)
}
const isIncomplete = process.env.CI === 'true' && results.some(({ isLeftOut }) => isLeftOut)
if (isIncomplete) console.log('Suites were left out, which CI does not accept.')
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exit(total.failed > 0 || isIncomplete || interruption !== undefined ? 1 : 0)
