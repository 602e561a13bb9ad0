// Brings everything up in order, keeps it up, and takes it down in the opposite order.
import { existsSync, mkdirSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { buildAll, buildId } from './build.mjs'
import { readPrivately, takeDataFolder, writePrivately } from './data-folder.mjs'
import { openDatabase } from './demo-database.mjs'
import { enrolAgent } from './enrol-agent.mjs'
import { nodeArguments } from './node-arguments.mjs'
import { checkDisk, checkPorts } from './preflight.mjs'
import { environmentsFor } from './program-environments.mjs'
import { progress } from './progress.mjs'
import { runStep } from './run-step.mjs'
import { loadSecrets } from './secrets.mjs'
import { addressesOf, settingsFrom } from './settings.mjs'
import { SupervisedProgram } from './supervised-program.mjs'

const READY_WITHIN_MS = 120_000
// The agent ends its servers by their chain first; the others drain within 30 s.
const STOP_WITHIN_MS = { agent: 90_000, site: 35_000, 'control-plane': 35_000 }
const SOURCES = { site: 'src/server', 'control-plane': 'control-plane', agent: 'agents' }
const ENTRIES = { site: 'src/server/main.ts', 'control-plane': 'control-plane/main.ts', agent: 'agents/main.ts' }

const seconds = (start) => ((performance.now() - start) / 1000).toFixed(1)
const say = (line) => console.log(line)

function commandOf(name, isDevelopment) {
  const file = isDevelopment ? ENTRIES[name] : `dist/${name}.mjs`
  return [process.execPath, ...nodeArguments(isDevelopment), file]
}

/** Restarts a program in development when a source of it changes. */
function watchSources(program) {
  let timer
  const restart = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      say(`${program.name}: sources changed, starting again`)
      void program.restartNow()
    }, 200)
  }
  const folders = [SOURCES[program.name], 'src/contracts', 'src/domain']
  const watchers = folders
    .filter((folder) => existsSync(folder))
    .map((folder) => watch(folder, { recursive: true }, restart))
  return () => watchers.forEach((watcher) => watcher.close())
}

/** Everything that stands before the programs: database, bundles, schema, demo content. */
async function prepare({ settings, secrets, isDevelopment, onStop }) {
  const database = await openDatabase({ settings, secrets })
  onStop(database.stop)
  const environments = environmentsFor({
    settings,
    secrets,
    databaseUrl: database.url,
    buildId: buildId(),
    isDevelopment,
  })
  const step = (name) => runStep({ name, env: environments.tools, isDevelopment })
  if (!isDevelopment) await buildAll()
  const migrated = await progress('Checking the database schema', () => step('migrate'))
  const names = migrated.split('\n').filter(Boolean)
  if (names.length > 0) say(`  migrated: ${names.join(', ')}`)
  const stateFile = join(settings.dataDir, 'state.json')
  const state = readPrivately(stateFile)
  if (state.seeded !== true) {
    const output = await progress('Adding the demo content', () => step('seed'))
    const made = JSON.parse(output.trim().split('\n').at(-1))
    writePrivately(stateFile, { ...state, ...made, seeded: true })
  }
  return { database, environments, stateFile }
}

function writeDemoFile({ settings, secrets, addresses }) {
  const account = (name) => ({ username: name, password: secrets[`${name}Password`] })
  const demo = {
    url: addresses.site,
    gatewayUrl: addresses.gateway,
    agentUrl: addresses.agent,
    admin: account('admin'),
    customer: account('customer'),
    support: account('support'),
  }
  writePrivately(join(settings.dataDir, 'demo.json'), demo)
  return demo
}

function announce({ demo, addresses, settings, start }) {
  const line = (label, text) => say(`  ${label.padEnd(14)}${text}`)
  say('')
  say(`Bakter is ready after ${seconds(start)} s.`)
  line('Site', demo.url)
  line('Admin', `${demo.url}/admin`)
  line('Gateway', demo.gatewayUrl)
  line('Agent', demo.agentUrl)
  line('Health', `${addresses.siteHealth}/health/ready`)
  line('Data', settings.dataDir)
  for (const role of ['admin', 'support', 'customer']) line(role, `${demo[role].username} / ${demo[role].password}`)
  say('Ctrl-C stops everything.')
}

/** Runs the demo until it is told to stop. */
export async function supervise({ isDevelopment }) {
  const start = performance.now()
  const settings = settingsFrom(process.env)
  const release = takeDataFolder(settings.dataDir)
  const undo = [release]
  const programs = []
  const stopping = handleSignals({ undo, programs })
  try {
    checkDisk(settings.dataDir)
    await checkPorts(settings.ports, settings.host)
    const logs = join(settings.dataDir, 'logs')
    mkdirSync(logs, { recursive: true, mode: 0o700 })
    const secrets = loadSecrets(join(settings.dataDir, 'secrets.json'))
    const { environments, stateFile } = await prepare({
      settings,
      secrets,
      isDevelopment,
      onStop: (stop) => undo.unshift(stop),
    })
    const addresses = addressesOf(settings)
    const run = (name, healthUrl) => {
      const program = new SupervisedProgram({
        name,
        healthUrl,
        say,
        isDevelopment,
        env: environments[name],
        command: commandOf(name, isDevelopment),
        logFile: join(logs, `${name}.log`),
      })
      programs.unshift(program)
      program.start()
      if (isDevelopment) undo.unshift(watchSources(program))
      return program.waitUntilReady(READY_WITHIN_MS)
    }
    await progress('Starting the programs', async () => {
      await Promise.all([run('control-plane', addresses.controlPlaneInternal), run('site', addresses.siteHealth)])
      environments.agent.AGENT_ENROLMENT_TOKEN = await enrolAgent({ settings, secrets, addresses, stateFile })
      await run('agent', addresses.agentHealth)
    })
    if (stopping.asked()) return
    const demo = writeDemoFile({ settings, secrets, addresses })
    announce({ demo, addresses, settings, start })
    writeFileSync(join(settings.dataDir, 'ready'), `${seconds(start)}\n`)
  } catch (error) {
    if (!stopping.asked()) {
      await stopping.stop()
      throw error
    }
  }
}

/** The first signal ends everything in order, the second at once. */
function handleSignals({ undo, programs }) {
  let stopped
  const stop = () => {
    stopped ??= (async () => {
      // The agent was started last and stands first: it still needs the control plane while it stops its servers.
      for (const program of programs.filter(({ name }) => name === 'agent')) await program.stop(STOP_WITHIN_MS.agent)
      await Promise.all(programs.map((program) => program.stop(STOP_WITHIN_MS[program.name])))
      for (const step of undo) await step()
    })()
    return stopped
  }
  let signals = 0
  const onSignal = async () => {
    signals += 1
    if (signals === 1) {
      say('\nStopping: the servers first, then the programs, then the database. Ctrl-C again forces it.')
      await stop()
      process.exit(0)
    }
    say('Forced.')
    for (const program of programs) program.kill()
    for (const step of undo) await step()
    process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void onSignal())
  return { stop, asked: () => signals > 0 }
}
