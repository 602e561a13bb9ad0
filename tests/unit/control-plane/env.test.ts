import { describe, expect, it } from 'vitest'
import { parseEnvironment } from '../../../control-plane/env.ts'

const demo = {
  DATABASE_URL: 'postgres://localhost/db',
  CONTROL_PLANE_PUBLIC_URL: 'http://127.0.0.1:4000',
  INTERNAL_SECRET: 'a secret that is long enough here',
  SITE_URL: 'http://127.0.0.1:3000',
  SITE_INTERNAL_URL: 'http://127.0.0.1:3001',
}
const production = {
  ...demo,
  BAKTER_MODE: 'production',
  CONTROL_PLANE_SECRET: 'another secret that is long enough',
  SITE_URL: 'https://host.example',
}
const problemsOf = (environment: Record<string, string | undefined>) => {
  const parsed = parseEnvironment(environment)
  return parsed.ok ? [] : parsed.problems
}
const without = (environment: Record<string, string>, name: string) =>
  Object.fromEntries(Object.entries(environment).filter(([key]) => key !== name))

describe('the environment of the control plane', () => {
  it('is complete with what npm start gives it', () => {
    expect(parseEnvironment(demo)).toMatchObject({
      ok: true,
      settings: { mode: 'demo', port: 4_000, internalPort: 4_001, host: '127.0.0.1' },
    })
  })

  it.each(Object.keys(demo))('names %s when it is missing', (name) => {
    expect(problemsOf(without(demo, name))).toEqual([`${name} is missing.`])
    expect(problemsOf({ ...demo, [name]: '' })).toHaveLength(1)
  })

  it('has a virus scanner only where one is named', () => {
    expect(parseEnvironment({ ...demo, CLAMD_URL: '' })).toMatchObject({ settings: { clamd: undefined } })
    expect(parseEnvironment({ ...demo, CLAMD_URL: 'tcp://scanner' })).toMatchObject({
      settings: { clamd: { host: 'scanner', port: 3_310 } },
    })
    expect(problemsOf({ ...demo, CLAMD_URL: 'scanner:3310' })).toEqual(['CLAMD_URL is not valid.'])
  })

  it('never repeats a value, which may be a secret', () => {
    const problems = problemsOf({ ...demo, INTERNAL_SECRET: 'short', SITE_URL: 'hunter2' })
    expect(problems).toEqual(['INTERNAL_SECRET is not valid.', 'SITE_URL is not valid.'])
  })

  it('is complete in production with both secrets', () => {
    expect(problemsOf(production)).toEqual([])
  })

  it.each(['CONTROL_PLANE_SECRET', 'INTERNAL_SECRET'])('refuses production without %s, by name', (name) => {
    expect(problemsOf(without(production, name))).toContain(`${name} is missing.`)
  })

  it.each([
    ['a short secret', { INTERNAL_SECRET: 'x'.repeat(31) }, 'INTERNAL_SECRET must have at least 32 characters.'],
    [
      'one secret for two purposes',
      { CONTROL_PLANE_SECRET: demo.INTERNAL_SECRET },
      'CONTROL_PLANE_SECRET must not be the same as INTERNAL_SECRET.',
    ],
    [
      'a folder in place of a mail server',
      { MAIL_FOLDER: 'mails' },
      'MAIL_FOLDER is for the demo and is refused in production: name a mail server.',
    ],
    ['a fault plan', { FAULT: 'order.held:1:kill' }, 'FAULT is for tests and is refused in production.'],
    [
      'the sandbox payment method',
      { PAYMENT_METHODS: 'sandbox' },
      'The sandbox payment method gives away money and is refused in production.',
    ],
  ])('refuses production with %s', (_name, change, problem) => {
    expect(problemsOf({ ...production, ...change })).toEqual([problem])
  })

  it('takes a fault plan in the demo, and refuses one that it cannot read', () => {
    expect(parseEnvironment({ ...demo, FAULT: 'order.held:2:throw' })).toMatchObject({
      settings: { fault: { name: 'order.held', visit: 2 } },
    })
    expect(problemsOf({ ...demo, FAULT: 'kill everything' })).toEqual(['FAULT is not valid.'])
  })

  it('reads the mail server and the keys of stored secrets', () => {
    const key = Buffer.alloc(32, 7).toString('base64')
    const mail = { SMTP_URL: 'smtps://u:p@mail.example', MAIL_FROM: 'host@mail.example', SECRETS_KEY: `1:${key}` }
    const parsed = parseEnvironment({ ...production, ...mail })
    expect(parsed).toMatchObject({
      settings: {
        mail: { smtp: { host: 'mail.example', port: 465 }, from: 'host@mail.example', replies: undefined },
        siteUrl: 'https://host.example',
      },
    })
    expect(parsed.ok && parsed.settings.secretKeys.map(({ id, key }) => [id, key.length])).toEqual([['1', 32]])
    expect(problemsOf({ ...production, ...mail, SMTP_URL: 'mail.example', SECRETS_KEY: 'short' })).toEqual([
      'SMTP_URL is not valid.',
      'SECRETS_KEY is not valid.',
    ])
  })

  it('a site on the loopback is reached by each of its names, another by its own only', () => {
    const origins = (environment: Record<string, string>) => {
      const parsed = parseEnvironment(environment)
      return parsed.ok ? parsed.settings.siteOrigins : []
    }
    expect(origins(demo)).toEqual(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])
    expect(origins({ ...production, SITE_ORIGINS: 'https://two.example' })).toEqual([
      'https://host.example',
      'https://two.example',
    ])
  })

  it('trusts no proxy in production unless one is named', () => {
    expect(parseEnvironment(production)).toMatchObject({ settings: { trustedProxies: [] } })
    expect(parseEnvironment({ ...production, TRUSTED_PROXIES: '10.0.0.1, 10.0.0.2' })).toMatchObject({
      settings: { trustedProxies: ['10.0.0.1', '10.0.0.2'] },
    })
  })

  it('bounds balances where an amount is set, and refuses what is none', () => {
    const boundOf = (MAXIMUM_BALANCE_FT: string) => {
      const parsed = parseEnvironment({ ...production, MAXIMUM_BALANCE_FT })
      return parsed.ok ? parsed.settings.maximumBalanceFt : parsed.problems
    }
    expect([boundOf(''), boundOf('500'), boundOf('150000')]).toEqual([undefined, 500n, 150_000n])
    for (const bad of ['0', '-1', '499', '1000.5', '1e400', 'NaN', '10,5', '٣٠٠٠', '9223372036854775808']) {
      expect(boundOf(bad)).toEqual(['MAXIMUM_BALANCE_FT is not valid.'])
    }
  })
})
