import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { loadSecrets } from '../../../../scripts/start/secrets.mjs'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

test('secrets are made once for a data folder, differ between folders and are private', () => {
  const file = join(temporaryFolder(), 'secrets.json')
  const first = loadSecrets(file)
  expect(loadSecrets(file)).toEqual(first)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const other = loadSecrets(join(temporaryFolder(), 'secrets.json'))
  for (const name of Object.keys(first)) expect(other[name]).not.toBe(first[name])
})

test('a secret that a newer version needs is added, the others stay', () => {
  const file = join(temporaryFolder(), 'secrets.json')
  writeFileSync(file, JSON.stringify({ internalSecret: 'old' }))
  const secrets = loadSecrets(file)
  expect(secrets['internalSecret']).toBe('old')
  expect(secrets['adminPassword']).toMatch(/^[a-zA-Z2-9]{16}$/)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(secrets)
})
