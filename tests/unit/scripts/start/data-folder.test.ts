import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { readPrivately, takeDataFolder, userOf, writePrivately } from '../../../../scripts/start/data-folder.mjs'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

test('a data folder has one user; it is free again when it is given back', () => {
  const folder = temporaryFolder()
  const release = takeDataFolder(folder)
  expect(userOf(folder)).toBe(process.pid)
  expect(() => takeDataFolder(folder)).toThrow(`Process ${process.pid} already runs Bakter in ${folder}`)
  release()
  expect(userOf(folder)).toBeUndefined()
  takeDataFolder(folder)()
})

test('the users of servers may pass through a folder that was closed', () => {
  const folder = temporaryFolder()
  chmodSync(folder, 0o700)
  takeDataFolder(folder)()
  expect(statSync(folder).mode & 0o777).toBe(process.getuid?.() === 0 ? 0o711 : 0o700)
})

test('a process of the same id that started later is another process', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'supervisor.pid'), `${process.pid} 1\n`)
  expect(userOf(folder)).toBeUndefined()
  takeDataFolder(folder)()
})

test('private files are read by their owner alone', () => {
  const file = join(temporaryFolder(), 'demo.json')
  writePrivately(file, { a: 1 })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readPrivately(file)).toEqual({ a: 1 })
  expect(readPrivately(`${file}.missing`)).toEqual({})
})

test('a private file that was cut off is refused in one sentence, and stays', () => {
  const file = join(temporaryFolder(), 'state.json')
  writeFileSync(file, '{"seeded": tr')
  expect(() => readPrivately(file)).toThrow(
    `${file} is damaged: put a copy of it back, or delete the data with npm run reset.`,
  )
  expect(readFileSync(file, 'utf8')).toBe('{"seeded": tr')
})

test('a folder that holds other things is not taken, and its mode stays', () => {
  const folder = temporaryFolder()
  chmodSync(folder, 0o700)
  writeFileSync(join(folder, 'thesis.odt'), 'mine')
  expect(() => takeDataFolder(folder)).toThrow(
    `${folder} holds other things than Bakter's data; BAKTER_DATA chooses a folder of its own.`,
  )
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  writeFileSync(join(folder, 'secrets.json'), '{}')
  takeDataFolder(folder)()
})

test('a start that was killed after its first files is no stranger', () => {
  const folder = temporaryFolder()
  for (const name of ['state.json', 'secrets.json.new', 'supervisor.pid.123', 'lost+found'])
    writeFileSync(join(folder, name), '')
  expect(() => takeDataFolder(folder)()).not.toThrow()
})
