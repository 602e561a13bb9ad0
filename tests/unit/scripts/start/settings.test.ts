import { expect, test } from 'vitest'

import { addressesOf, PORTS, settingsFrom } from '../../../../scripts/start/settings.mjs'

function refuses(env: Record<string, string>): boolean {
  try {
    settingsFrom(env)
    return false
  } catch {
    return true
  }
}

test('an empty environment is the whole demo on the loopback', () => {
  const settings = settingsFrom({})
  expect(settings).toMatchObject({ host: '127.0.0.1', ports: PORTS, databaseUrl: undefined, redisUrl: undefined })
  expect(settings.dataDir.endsWith('/.data')).toBe(true)
})

test.each(['0', '70000', 'http', '-1', '3000.5'])('PORT=%s is refused', (PORT) => {
  expect(() => settingsFrom({ PORT })).toThrow(`PORT is "${PORT}", which is not a port.`)
})

test.each(['6000', '10080', '22'])('PORT=%s, which no browser opens, is refused', (PORT) => {
  expect(() => settingsFrom({ PORT })).toThrow(`PORT is ${PORT}, a port that browsers do not open: choose another.`)
})

test('the ports that browsers do not open are those to which fetch refuses to connect', async () => {
  const accepted: number[] = []
  for (const PORT of [1, 79, 531, 1720, 5061, 6566, 6669, 6697]) {
    const error: unknown = await fetch(`http://127.0.0.1:${PORT}`).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ cause: { message: 'bad port' } })
    if (!refuses({ PORT: String(PORT) })) accepted.push(PORT)
  }
  expect(accepted).toEqual([])
})

test.each([
  ['its first', { PORT: '25565' }, 'PORT 25565 lies in GAME_PORTS 25565-25664'],
  ['its last', { AGENT_PORT: '25664' }, 'AGENT_PORT 25664 lies in GAME_PORTS 25565-25664'],
  ['a range of the user', { GAME_PORTS: '3900-4000' }, 'CONTROL_PLANE_PORT 4000 lies in GAME_PORTS 3900-4000'],
])('a port of our own among those that servers get is refused: %s', (_, env, sentence) => {
  expect(() => settingsFrom(env)).toThrow(`${sentence}, which servers get: change one of them.`)
  expect(() => settingsFrom({ PORT: '25564', AGENT_PORT: '25665' })).not.toThrow()
})

test.each(['two words', 'fe80::1%eth0', '127.0.0.1,::1', '[::1]', 'http://x'])('HOST=%s is refused', (HOST) => {
  expect(() => settingsFrom({ HOST })).toThrow(`HOST is "${HOST}", which is no address of this machine.`)
})

test('production is refused here', () => {
  expect(() => settingsFrom({ BAKTER_MODE: 'production' })).toThrow('docker-compose.yml')
})

test.each([
  ['127.0.0.1', 'http://127.0.0.1:3000'],
  ['0.0.0.0', 'http://127.0.0.1:3000'],
  ['::', 'http://127.0.0.1:3000'],
  ['0:0:0:0:0:0:0:0', 'http://127.0.0.1:3000'],
  ['0', 'http://127.0.0.1:3000'],
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

test('an agent with a certificate is reached by https', () => {
  const tls = { AGENT_TLS_CERT: '/etc/tls/node.pem', AGENT_TLS_KEY: '/etc/tls/node.key' }
  expect(addressesOf(settingsFrom(tls))['agent']).toBe('https://127.0.0.1:8080')
  expect(addressesOf(settingsFrom({ AGENT_TLS_CERT: '', AGENT_TLS_KEY: '' }))['agent']).toBe('http://127.0.0.1:8080')
})
