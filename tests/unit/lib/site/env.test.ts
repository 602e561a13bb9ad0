import { expect, test } from 'vitest'
import { parseSettings } from '../../../../src/lib/site/env.ts'

const enough = {
  DATABASE_URL: 'postgres://x',
  INTERNAL_SECRET: '0123456789abcdef0123456789abcdef',
  PAYLOAD_SECRET: 'fedcba9876543210fedcba9876543210',
}
const production = {
  ...enough,
  BAKTER_MODE: 'production',
  SITE_URL: 'https://bakter.test',
  CONTROL_PLANE_URL: 'http://control-plane:4001',
  GATEWAY_URL: 'http://control-plane:4000',
  SECRETS_KEY: `1:${Buffer.alloc(32, 7).toString('base64')}`,
}

test.each(['DATABASE_URL', 'INTERNAL_SECRET', 'PAYLOAD_SECRET'])(
  'without %s the site does not start, and says why',
  (name) => {
    expect(() => parseSettings({ ...enough, [name]: '' })).toThrow(`The site does not start: ${name} must be set.`)
  },
)

test.each(['SITE_URL', 'CONTROL_PLANE_URL', 'GATEWAY_URL', 'SECRETS_KEY'])(
  'production without %s does not start',
  (name) => {
    expect(() => parseSettings({ ...production, [name]: undefined })).toThrow(`${name} must be set`)
    expect(parseSettings(production).mode).toBe('production')
  },
)

test('a secret that is too short is refused by name', () => {
  expect(() => parseSettings({ ...enough, INTERNAL_SECRET: 'short' })).toThrow('INTERNAL_SECRET cannot be used as set')
})

test.each(['no key id', '1:too-short', `:${Buffer.alloc(32).toString('base64')}`])('refuses the key ring %j', (key) => {
  expect(() => parseSettings({ ...enough, SECRETS_KEY: key })).toThrow('SECRETS_KEY cannot be used as set')
})

test('addresses are origins, and https makes cookies secure', () => {
  const settings = parseSettings({
    ...enough,
    GATEWAY_URL: 'ws://127.0.0.1:4000/api/ws/gateway',
    SITE_URL: 'https://bakter.test/',
  })
  expect(settings).toMatchObject({
    gatewayUrl: 'http://127.0.0.1:4000',
    siteUrl: 'https://bakter.test',
    isSecure: true,
  })
  expect(parseSettings(enough)).toMatchObject({ siteUrl: 'http://127.0.0.1:3000', isSecure: false, trustedProxies: [] })
})

test('production has one Discord, whatever the environment names', () => {
  const elsewhere = { DISCORD_URL: 'http://127.0.0.1:9/path' }
  expect(parseSettings({ ...production, ...elsewhere }).discordUrl).toBe('https://discord.com')
  expect(parseSettings({ ...enough, ...elsewhere }).discordUrl).toBe('http://127.0.0.1:9')
  expect(parseSettings(enough).discordUrl).toBe('https://discord.com')
})

test('a virus scanner is there only where one is named, and a wrong address is refused by name', () => {
  expect(parseSettings({ ...enough, CLAMD_URL: '' }).clamd).toBeUndefined()
  expect(parseSettings({ ...enough, CLAMD_URL: 'unix:/run/clamd.ctl' }).clamd).toEqual({ path: '/run/clamd.ctl' })
  expect(() => parseSettings({ ...enough, CLAMD_URL: 'scanner' })).toThrow('CLAMD_URL cannot be used as set')
})
