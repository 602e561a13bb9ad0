// `npm run reset` deletes the data folder after a confirmation. `--yes` skips it.
import { existsSync, readdirSync, rmSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'

import { isForeign, readPrivately, takeDataFolder, userOf } from './data-folder.mjs'
import { stopLeftOver } from './embedded-postgres.mjs'
import { programsOf, serversOf } from './folder-processes.mjs'
import { sentenceOf } from './preflight.mjs'
import { settingsFrom } from './settings.mjs'

/** The answer of the person at the terminal; '' without a terminal. */
async function ask(question) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const nobody = new Promise((done) => terminal.once('close', () => done('')))
  const answer = await Promise.race([terminal.question(question), nobody])
  terminal.close()
  return answer.trim()
}

/** One sentence if the folder must stay, else undefined. */
function refusal(dataDir) {
  const user = userOf(dataDir)
  if (user !== undefined) return `Process ${user} runs Bakter in ${dataDir}: stop it first.`
  if (isForeign(dataDir)) return `${dataDir} was not made by npm start; it stays.`
  const [program] = programsOf(dataDir)
  if (program !== undefined)
    return `Process ${program} still runs in ${dataDir}: it ends by itself, within two minutes, because its npm start was killed.`
  const [server] = serversOf(dataDir)
  if (server !== undefined)
    return `Process ${server}, a game server in ${dataDir}, has outlived its agent: npm start takes it over, and Ctrl-C ends it.`
  return undefined
}

/**
 * One sentence about an external database, whose data stay; '' for the embedded one, which is deleted with the folder.
 */
function aboutDatabase(dataDir) {
  const { database = 'embedded' } = stateOf(dataDir)
  return database === 'embedded'
    ? ''
    : ` Its database, ${database}, stays as it is: empty it before another start uses it.`
}

/** The folder's recorded state; a damaged file counts as empty, since it will be deleted. */
function stateOf(dataDir) {
  try {
    return readPrivately(join(dataDir, 'state.json'))
  } catch {
    return {}
  }
}

async function main() {
  const { dataDir } = settingsFrom(process.env)
  if (!existsSync(dataDir)) return console.log(`There is nothing in ${dataDir}.`)
  const refused = refusal(dataDir)
  if (refused !== undefined) {
    console.error(refused)
    process.exitCode = 1
    return
  }
  const about = aboutDatabase(dataDir)
  const question = `Delete ${dataDir} with all accounts, money and game servers?${about} Type yes: `
  if (!process.argv.includes('--yes') && (await ask(question)) !== 'yes') {
    console.log('\nNothing was deleted.')
    process.exitCode = 1
    return
  }
  // Nothing can start in the folder during its deletion.
  takeDataFolder(dataDir)
  await stopLeftOver(join(dataDir, 'postgres'))
  // The secrets identify the folder as ours, so they are deleted last: an interrupted deletion can be repeated.
  const last = ['secrets.json', 'supervisor.pid']
  const names = readdirSync(dataDir).filter((name) => !last.includes(name))
  for (const name of [...names, ...last]) rmSync(join(dataDir, name), { recursive: true, force: true })
  try {
    rmdirSync(dataDir)
  } catch {
    // A mount point, or a folder inside somebody else's: it stays, empty.
  }
  console.log(`${dataDir} is deleted.`)
}

try {
  await main()
} catch (error) {
  console.error(sentenceOf(error))
  process.exitCode = 1
}
