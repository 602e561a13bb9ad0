// `npm run reset` deletes the data folder, after it asked. `--yes` does not ask.
import { existsSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'

import { userOf } from './data-folder.mjs'
import { settingsFrom } from './settings.mjs'

const { dataDir } = settingsFrom(process.env)
if (!existsSync(dataDir)) {
  console.log(`There is nothing in ${dataDir}.`)
  process.exit(0)
}
const user = userOf(dataDir)
if (user !== undefined) {
  console.error(`Process ${user} runs Bakter in ${dataDir}: stop it first.`)
  process.exit(1)
}
if (!existsSync(`${dataDir}/secrets.json`)) {
  console.error(`${dataDir} was not made by npm start; it stays.`)
  process.exit(1)
}
if (!process.argv.includes('--yes')) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`Delete ${dataDir} with all accounts, money and game servers? Type yes: `)
  terminal.close()
  if (answer.trim() !== 'yes') {
    console.log('Nothing was deleted.')
    process.exit(1)
  }
}
rmSync(dataDir, { recursive: true, force: true })
console.log(`${dataDir} is deleted.`)
