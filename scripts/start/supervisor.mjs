// Starts everything in order, keeps it running, and stops it in reverse order.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { announcement } from './announcement.mjs'
import { buildAll, buildId } from '../build.mjs'
import { readPrivately, writePrivately } from './data-folder.mjs'
import { openDatabase } from './demo-database.mjs'
import { enrolAgent } from './enrol-agent.mjs'
import { AGENT_ARGUMENTS, nodeArguments, SITE_ARGUMENTS } from './node-arguments.mjs'
import { environmentsFor } from './program-environments.mjs'
import { npmSettingsOf, readNpmConfig } from './npm-settings.mjs'
import { checkStores, claimDatabase } from './own-stores.mjs'
import { progress } from './progress.mjs'
import { runStep } from './run-step.mjs'
import { loadSecrets } from './secrets.mjs'
import { addressesOf } from './settings.mjs'
import { SupervisedProgram } from './supervised-program.mjs'
import { watchFolders } from './watch-folders.mjs'

const READY_WITHIN_MS = 120_000
/** The sources that each process loads itself; Next watches the pages and their imports. */
const SOURCES = {
  site: [
    'src/server',
    'src/api',
    'src/account',
    'src/identity',
    'src/i18n',
    'src/lib',
    'src/contracts',
    'src/domain',
    'src/message-text',
    'src/platform',
  ],
  'control-plane': ['control-plane', 'src/contracts', 'src/domain', 'src/message-text', 'src/platform'],
  agent: ['agents', 'src/contracts', 'src/platform'],
}
const ENTRIES = { site: 'src/server/main.ts', 'control-plane': 'control-plane/main.ts', agent: 'agents/main.ts' }

/** Since the start of this process, including installing and building. */
const secondsSoFar = () => (performance.now() / 1_000).toFixed(1)
// On a terminal this overwrites the unfinished line of a running step.
const say = (line) => console.log(`${process.stdout.isTTY ? '\r\u001b[K' : ''}${line}`)

function commandOf(name, isDevelopment) {
  const file = isDevelopment ? ENTRIES[name] : `dist/${name}.mjs`
  const additional = { agent: AGENT_ARGUMENTS, site: isDevelopment ? [] : SITE_ARGUMENTS }[name] ?? []
  return [process.execPath, ...nodeArguments(isDevelopment), ...additional, file]
}

/** Restarts a program in development when a source of it changes. */
function watchSources(program) {
  let timer
  const onChange = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      say(`${program.name}: sources changed, starting again`)
      void program.restartNow()
    }, 200)
  }
  const onFault = ({ code }) =>
    say(`${program.name}: its sources are not watched (${code}); fs.inotify.max_user_watches may be too low.`)
  const stop = watchFolders(SOURCES[program.name], { onChange, onFault })
  return () => {
    clearTimeout(timer)
    stop()
  }
}

const moved = () => 'updated'
const added = () => 'added'
const migratedBy = (output) => {
  const count = output.split('\n').filter(Boolean).length
  return count === 0 ? 'up to date' : `${count} ${count === 1 ? 'migration' : 'migrations'} applied`
}

/** Adds the demo content once. A start at other addresses updates the computer. */
async function seedOrMove({ settings, stateFile, step }) {
  const state = readPrivately(stateFile)
  const place = `${addressesOf(settings).agent} ${settings.gamePorts}`
  if (state.seeded === true && state.place === place) return
  const output =
    state.seeded === true
      ? await progress('Address of this machine', () => step('seed', { DEMO_COMPUTER_ID: state.computerId }), moved)
      : await progress('Demo content', () => step('seed'), added)
  const made = JSON.parse(output.trim().split('\n').at(-1))
  writePrivately(stateFile, { ...state, ...made, seeded: true, place })
}

/** Everything before the programs: database, bundles, schema, demo content. */
async function prepare({ settings, secrets, stateFile, isDevelopment, onStop }) {
  const databaseUrl = await openDatabase({ settings, secrets, onStop })
  const environments = environmentsFor({
    settings,
    secrets,
    databaseUrl,
    buildId: buildId(),
    npm: npmSettingsOf(await readNpmConfig(), process.env),
    isDevelopment,
  })
  const step = (name, added) => runStep({ name, env: { ...environments.tools, ...added }, isDevelopment })
  if (!isDevelopment) await buildAll()
  await progress('Database schema', () => step('migrate'), migratedBy)
  await seedOrMove({ settings, stateFile, step })
  return environments
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

/** Starts the programs in order; after a stop signal no more are started. */
async function startPrograms({ settings, secrets, shutdown, environments, stateFile, isDevelopment }) {
  const addresses = addressesOf(settings)
  const logs = join(settings.dataDir, 'logs')
  mkdirSync(logs, { recursive: true, mode: 0o700 })
  const run = (name, healthUrl) => {
    if (shutdown.asked) return undefined
    const program = new SupervisedProgram({
      name,
      healthUrl,
      say,
      isDevelopment,
      env: environments[name],
      command: commandOf(name, isDevelopment),
      logFile: join(logs, `${name}.log`),
    })
    shutdown.programs.unshift(program)
    program.start()
    if (isDevelopment) shutdown.undo.unshift(watchSources(program))
    return program.waitUntilReady(READY_WITHIN_MS)
  }
  await Promise.all([run('control-plane', addresses.controlPlaneInternal), run('site', addresses.siteHealth)])
  if (shutdown.asked) return
  environments.agent.AGENT_ENROLMENT_TOKEN = await enrolAgent({ settings, secrets, addresses, stateFile })
  await run('agent', addresses.agentHealth)
}

/**
 * Runs the demo until `shutdown` is requested. Rejects when something does not start; the caller stops what is running
 * by then.
 */
export async function supervise({ settings, shutdown, isDevelopment }) {
  const stateFile = join(settings.dataDir, 'state.json')
  const { isUsed } = await checkStores(settings)
  const { databaseUrl } = settings
  writePrivately(stateFile, claimDatabase({ databaseUrl, isUsed, state: readPrivately(stateFile) }))
  const secrets = loadSecrets(join(settings.dataDir, 'secrets.json'))
  const onStop = (stop) => shutdown.undo.unshift(stop)
  const environments = await prepare({ settings, secrets, stateFile, isDevelopment, onStop })
  await progress('Site, control plane and agent', () =>
    startPrograms({ settings, secrets, shutdown, environments, stateFile, isDevelopment }),
  )
  if (shutdown.asked) return
  const addresses = addressesOf(settings)
  const demo = writeDemoFile({ settings, secrets, addresses })
  const seconds = secondsSoFar()
  for (const line of announcement({ demo, settings, seconds })) say(line)
  writeFileSync(join(settings.dataDir, 'ready'), `${seconds}\n`)
}
