import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { takeDataFolder } from '../../../scripts/data-folder.mjs'
import { temporaryFolder } from '../../support/temporary-folder.ts'

function dataFolder() {
  const folder = join(temporaryFolder(), 'data')
  mkdirSync(join(folder, 'agent/servers'), { recursive: true })
  for (const name of ['secrets.json', 'agent/servers/state.json']) writeFileSync(join(folder, name), '{}')
  return folder
}

/** `npm run reset` with this answer; nobody is at a terminal. */
function reset(folder: string, answer: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve('scripts/reset.mjs'), ...args], {
    encoding: 'utf8',
    input: answer,
    env: { ...process.env, BAKTER_DATA: folder, BAKTER_MODE: '', DATABASE_URL: '', REDIS_URL: '' },
  })
  return { status, said: `${stdout}${stderr}` }
}

test.each(['', 'no\n', 'y\n', 'YES\n'])('the answer %j deletes nothing', (answer) => {
  const folder = dataFolder()
  const { status, said } = reset(folder, answer)
  expect(said).toContain(`Delete ${folder} with all accounts, money and game servers? Type yes:`)
  expect({ status, isKept: existsSync(join(folder, 'agent/servers/state.json')) }).toEqual({ status: 1, isKept: true })
})

test.each([
  ['yes', 'yes\n', []],
  ['--yes', '', ['--yes']],
])('%s deletes the folder', (_, answer, args) => {
  const folder = dataFolder()
  const { status, said } = reset(folder, answer, ...args)
  expect(status).toBe(0)
  expect(said).toContain(`${folder} is deleted.`)
  expect(existsSync(folder)).toBe(false)
})

test('a folder in use stays, and so does one that holds other things', () => {
  const folder = dataFolder()
  const release = takeDataFolder(folder)
  onTestFinished(release)
  expect(reset(folder, '', '--yes')).toEqual({
    status: 1,
    said: `Process ${process.pid} runs Bakter in ${folder}: stop it first.\n`,
  })
  const foreign = temporaryFolder()
  writeFileSync(join(foreign, 'thesis.odt'), '')
  expect(reset(foreign, '', '--yes')).toEqual({ status: 1, said: `${foreign} was not made by npm start; it stays.\n` })
  expect(readdirSync(foreign)).toEqual(['thesis.odt'])
})
