import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseEnvironment } from '../../../control-plane/env.ts'
import { PROVIDER_VARIABLES } from '../../../control-plane/money/payments/provider-settings.ts'

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8')
const compose = read('docker-compose.yml')
const page = read('docs/production.md')

/** Addresses of providers lead to the providers themselves: another one is for tests. */
const OF_MONEY = [
  ...Object.keys(PROVIDER_VARIABLES).filter((name) => !name.endsWith('_URL')),
  'PAYMENT_METHODS',
  'MAXIMUM_BALANCE_FT',
  'VIES_URL',
]
/** Both programs look for viruses. */
const OF_BOTH = ['CLAMD_URL']

/** The environment of the service when its operator has set nothing but these. */
function environmentWith(set: Readonly<Record<string, string>>): Record<string, string> {
  const block = compose.slice(compose.indexOf('x-control-plane:'), compose.indexOf('services:'))
  const filled = (value: string) =>
    value.replaceAll(/\$\{([A-Z_]+)(?::-([^}]*))?[^}]*\}/g, (_all, name: string, fallback?: string) => {
      return set[name] ?? fallback ?? ''
    })
  return Object.fromEntries(
    [...block.matchAll(/^ {2}([A-Z_]+): (.*)$/gm)].map(([, name = '', value = '']) => [name, filled(value)]),
  )
}

const NEEDED = {
  SITE_DOMAIN: 'host.example',
  POSTGRES_PASSWORD: 'p'.repeat(32),
  REDIS_PASSWORD: 'r'.repeat(32),
  INTERNAL_SECRET: 'i'.repeat(32),
  CONTROL_PLANE_SECRET: 'c'.repeat(32),
  SECRETS_KEY: `1:${Buffer.alloc(32, 7).toString('base64')}`,
}

describe('docker-compose.yml', () => {
  it.each(OF_MONEY)('passes %s on, and the production page names it', (name) => {
    expect(compose).toMatch(new RegExp(`^ {2}${name}: \\$\\{${name}:-`, 'm'))
    expect(page).toContain(`\`${name}\``)
  })

  it.each(OF_BOTH)('passes %s on to the site and the control plane, and the production page names it', (name) => {
    const block = (from: string, to: string) => compose.slice(compose.indexOf(from), compose.indexOf(to))
    for (const text of [block('x-control-plane:', 'services:'), block('  site:', '  control-plane:')])
      expect(text).toContain(`${name}: \${${name}:-}`)
    expect(page).toContain(`\`${name}\``)
  })

  it('is complete without any payment method', () => {
    const { DATABASE_URL = '', ...rest } = environmentWith(NEEDED)
    expect(parseEnvironment({ ...rest, DATABASE_URL: DATABASE_URL || 'postgres://localhost/db' })).toMatchObject({
      ok: true,
      settings: { mode: 'production', paymentMethods: [], maximumBalanceFt: undefined },
    })
  })

  it('is complete with every payment method and a limit of balances', () => {
    const set = {
      ...NEEDED,
      PAYMENT_METHODS: 'stripe,paypal,barion,phone',
      MAXIMUM_BALANCE_FT: '150000',
      STRIPE_SECRET_KEY: 'sk',
      STRIPE_PUBLISHABLE_KEY: 'pk',
      STRIPE_WEBHOOK_SECRET: 'whsec',
      PAYPAL_CLIENT_ID: 'c',
      PAYPAL_CLIENT_SECRET: 's',
      PAYPAL_WEBHOOK_ID: 'w',
      BARION_POS_KEY: 'k',
      BARION_PAYEE: 'shop@host.example',
      PHONE_SECRETS: 's'.repeat(32),
      PHONE_TARIFFS: 'premium-sms:1905:800:06-90-888-333',
    }
    const parsed = parseEnvironment({ ...environmentWith(set), DATABASE_URL: 'postgres://localhost/db' })
    expect(parsed).toMatchObject({
      ok: true,
      settings: {
        paymentMethods: ['stripe', 'paypal', 'barion', 'phone'],
        maximumBalanceFt: 150_000n,
        paymentProviders: { phone: { keyword: 'BAKTER' } },
      },
    })
  })
})
