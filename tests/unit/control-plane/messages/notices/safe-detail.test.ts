import { expect, test } from 'vitest'
import { safeDetail } from '../../../../../control-plane/messages/notices/safe-detail.ts'

test('commands lose what is typed behind a secret, and every text loses tokens and passwords of addresses', () => {
  expect(safeDetail('server:console.command', 'login hunter2')).toBe('login •••')
  expect(safeDetail('server:file.rename', 'login hunter2')).toBe('login hunter2')
  expect(safeDetail('server:settings.changed', 'https://anna:hunter2@host.test/?token=abc')).toBe(
    'https://anna:•••@host.test/?token=•••',
  )
  expect(safeDetail('server:startup.update', 'RCON_PASSWORD=hunter2')).toBe('RCON_PASSWORD=•••')
})

test('paths stay as they are', () => {
  for (const path of [
    'world/region/r.0.0.mca',
    'plugins/Login Security/config.yml',
    'a → b (+2)',
    'x.jar ← example.org',
  ]) {
    expect(safeDetail('server:file.write', path)).toBe(path)
  }
})

test('hiding again changes nothing', () => {
  for (const text of ['login hunter2', 'https://anna:hunter2@host.test/?token=abc#x', 'token=abc']) {
    const once = safeDetail('server:console.command', text)
    expect(safeDetail('server:console.command', once)).toBe(once)
  }
})
