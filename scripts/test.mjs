// `npm test`: everything that must hold, in one command. `npm test -- unit lint` runs only the named suites, `--full` the
// long matrices too. It installs what it needs, bounds each suite in time, and ends with `N passed, N failed, N skipped`.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { checkPlatform, installIfNeeded } from './preflight.mjs'
import { countsFrom, playwrightCounts, verdictCounts, vitestCounts } from './test-counts.mjs'
import { installTools, missingTools } from './test-tools.mjs'

const REPORTS = join('.build', 'reports')
const bin = (path) => join('node_modules', path)
const report = (name) => join(REPORTS, `${name}.json`)

const vitest = (project) => ({
  command: `${bin('vitest/vitest.mjs')} run -c tests/vitest.config.ts --project ${project}`
    .concat(` --reporter=default --reporter=json --outputFile.json=${report(project)}`)
    .split(' '),
  counts: (isGood) => countsFrom(report(project), vitestCounts, isGood),
})
const verdict = (...command) => ({ command, counts: verdictCounts })

/** Suites in the order in which they run: the quick ones first, those that need the build after it. */
const SUITES = {
  types: { ...verdict(bin('typescript/bin/tsc'), '--noEmit'), minutes: 6 },
  lint: { ...verdict('scripts/lint.mjs'), minutes: 5 },
  unit: { ...vitest('unit'), minutes: 6 },
  integration: { ...vitest('integration'), minutes: 15, tools: ['redis-server'] },
  docker: { ...vitest('docker'), minutes: 15, tools: ['dockerd', 'iptables', 'ip', 'busybox'], root: true },
  build: { ...verdict('scripts/build.mjs'), minutes: 10 },
  system: { ...vitest('system'), minutes: 10, needs: 'build', tools: ['redis-server', 'caddy'] },
  e2e: {
    command: [bin('@playwright/test/cli.js'), 'test', '-c', 'tests/playwright.config.ts'],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report('e2e') },
    counts: (isGood) => countsFrom(report('e2e'), playwrightCounts, isGood),
    minutes: 20,
    needs: 'build',
    tools: ['chromium'],
  },
}

/** Runs a suite in a process group of its own and ends the whole group when its time is over. */
function run({ command, env = {}, minutes }) {
  return new Promise((done) => {
    const child = spawn(process.execPath, command, {
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
    })
    const end = (signal) => {
      try {
        process.kill(-child.pid, signal)
      } catch {
        // It has ended by itself.
      }
    }
    const forward = (signal) => () => end(signal)
    const handlers = { SIGINT: forward('SIGINT'), SIGTERM: forward('SIGTERM') }
    for (const [signal, handler] of Object.entries(handlers)) process.on(signal, handler)
    const timers = [
      setTimeout(() => {
        console.log(`The suite did not end within ${minutes} minutes; it is stopped.`)
        end('SIGTERM')
        timers.push(setTimeout(() => end('SIGKILL'), 15_000))
      }, minutes * 60_000),
    ]
    const finish = (isGood) => {
      for (const timer of timers) clearTimeout(timer)
      for (const [signal, handler] of Object.entries(handlers)) process.off(signal, handler)
      done(isGood)
    }
    child.once('error', () => finish(false))
    child.once('close', (code) => finish(code === 0))
  })
}

const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const unknown = asked.filter((name) => !(name in SUITES))
const refusal =
  unknown.length > 0
    ? `There is no suite ${unknown.join(', ')}; there are ${Object.keys(SUITES).join(', ')}.`
    : checkPlatform()
if (refusal !== undefined) {
  console.error(refusal)
  process.exit(2)
}
if (process.argv.includes('--full')) process.env.BAKTER_TEST_FULL = '1'
await installIfNeeded()
rmSync(REPORTS, { recursive: true, force: true })
mkdirSync(REPORTS, { recursive: true })

const chosen = Object.entries(SUITES).filter(([name]) => asked.length === 0 || asked.includes(name))
const problem = installTools([...new Set(chosen.flatMap(([, suite]) => suite.tools ?? []))])
if (problem !== undefined) console.log(`Note: ${problem}.`)

const results = []
for (const [name, suite] of chosen) {
  const start = performance.now()
  const lacking = missingTools(suite.tools ?? [])
  const blocked = results.find((result) => result.name === suite.needs && result.counts.failed > 0)
  let counts
  let remark = ''
  if (lacking.length > 0) {
    counts = { passed: 0, failed: 0, skipped: 1 }
    remark = `not run: ${lacking.join(', ')} missing and not installable here`
  } else if (suite.root && process.getuid() !== 0) {
    counts = { passed: 0, failed: 0, skipped: 1 }
    remark = 'not run: it starts Docker daemons in network namespaces, which only root can'
  } else if (blocked) {
    counts = verdictCounts(false)
    remark = `not run: ${blocked.name} failed`
  } else if (name === 'e2e' && !existsSync('tests/e2e')) {
    counts = { passed: 0, failed: 0, skipped: 1 }
    remark = 'not run: there are no tests'
  } else {
    console.log(`\n== ${name}`)
    counts = suite.counts(await run(suite))
  }
  results.push({ name, counts, remark, seconds: (performance.now() - start) / 1000 })
}

console.log('')
const total = { passed: 0, failed: 0, skipped: 0 }
for (const { name, counts, remark, seconds } of results) {
  for (const key of Object.keys(total)) total[key] += counts[key]
  const figures = `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`
  console.log(
    `${name.padEnd(12)} ${seconds.toFixed(1).padStart(7)} s  ${figures}${remark === '' ? '' : `  (${remark})`}`,
  )
}
const isIncomplete = process.env.CI === 'true' && results.some(({ remark }) => remark !== '')
if (isIncomplete) console.log('Suites were left out, which CI does not accept.')
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exit(total.failed > 0 || isIncomplete ? 1 : 0)
