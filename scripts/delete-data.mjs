// `npm run reset` deletes the data folder, after it asked. `--yes` does not ask.
import { existsSync, readFileSync, readdirSync, rmSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'

import { isForeign, userOf } from './data-folder.mjs'
import { sentenceOf } from './preflight.mjs'
import { settingsFrom } from './settings.mjs'

/** The answer of the person at the terminal; '' when there is none. */
async function ask(question) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const nobody = new Promise((done) => terminal.once('close', () => done('')))
  const answer = await Promise.race([terminal.question(question), nobody])
  terminal.close()
  return answer.trim()
}

/** One sentence when the folder must stay, else undefined. */
function refusal(dataDir) {
  const user = userOf(dataDir)
  if (user !== undefined) return `Process ${user} runs Bakter in ${dataDir}: stop it first.`
  if (existsSync(`${dataDir}/postgres/postmaster.pid`) && isDatabaseRunning(dataDir))
    return `The database in ${dataDir} still runs; it ends within seconds when nobody uses it.`
  if (isForeign(dataDir)) return `${dataDir} was not made by npm start; it stays.`
  return undefined
}

function isDatabaseRunning(dataDir) {
  const pid = readFileSync(`${dataDir}/postgres/postmaster.pid`, 'utf8').split('\n')[0]
  return existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(dataDir)
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
  const question = `Delete ${dataDir} with all accounts, money and game servers? Type yes: `
  if (!process.argv.includes('--yes') && (await ask(question)) !== 'yes') {
    console.log('\nNothing was deleted.')
    process.exitCode = 1
    return
  }
  // By this file the folder is known as ours: should the deletion be interrupted, it can be asked for again.
  const names = readdirSync(dataDir).filter((name) => name !== 'secrets.json')
  for (const name of [...names, 'secrets.json']) rmSync(join(dataDir, name), { recursive: true, force: true })
  try {
    rmdirSync(dataDir)
  } catch {
    // A mounted disk, or a folder in somebody else's: it stays, and is empty.
  }
  console.log(`${dataDir} is deleted.`)
}

try {
  await main()
} catch (error) {
  console.error(sentenceOf(error))
  process.exitCode = 1
}
