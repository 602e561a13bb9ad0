import { expect, test } from 'vitest'

import { addressesOf, PORTS, settingsFrom } from '../../../scripts/settings.mjs'

test('an empty environment is the whole demo on the loopback', () => {
  const settings = settingsFrom({})
  expect(settings).toMatchObject({ host: '127.0.0.1', ports: PORTS, databaseUrl: undefined, redisUrl: undefined })
  expect(settings.dataDir.endsWith('/.data')).toBe(true)
})

test.each(['0', '70000', 'http', '-1', '3000.5'])('PORT=%s is refused', (PORT) => {
  expect(() => settingsFrom({ PORT })).toThrow(`PORT is "${PORT}", which is not a port.`)
})

test('production is refused here', () => {
  expect(() => settingsFrom({ BAKTER_MODE: 'production' })).toThrow('docker-compose.yml')
})

test.each([
  ['127.0.0.1', 'http://127.0.0.1:3000'],
  ['0.0.0.0', 'http://127.0.0.1:3000'],
  ['::1', 'http://[::1]:3000'],
  ['demo.example', 'http://demo.example:3000'],
])('with HOST=%s the site is at %s', (host, url) => {
  expect(addressesOf({ host, ports: PORTS })['site']).toBe(url)
})

test.each(['25565', '200-300', '30000-20000', '30000-70000'])('GAME_PORTS=%s is refused', (GAME_PORTS) => {
  expect(() => settingsFrom({ GAME_PORTS })).toThrow(`GAME_PORTS is "${GAME_PORTS}"`)
})

test.each(['localhost:5432', 'mysql://127.0.0.1/x', 'no address'])(
  'DATABASE_URL=%s is refused unread',
  (DATABASE_URL) => {
    expect(() => settingsFrom({ DATABASE_URL })).toThrow(
      'DATABASE_URL is no address such as postgres://user:password@127.0.0.1:5432/bakter.',
    )
  },
)

test.each(['127.0.0.1:6379', 'http://127.0.0.1:6379', ':password@host'])(
  'REDIS_URL=%s is refused unread',
  (REDIS_URL) => {
    expect(() => settingsFrom({ REDIS_URL })).toThrow(
      'REDIS_URL is no address such as redis://:password@127.0.0.1:6379.',
    )
  },
)
