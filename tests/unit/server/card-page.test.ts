import { describe, expect, test } from 'vitest'
import { STRIPE_SCRIPT_URL } from '../../../src/contracts/http/card-page.ts'
import { cardOrigins, cardPageHeaders, isCardPage } from '../../../src/server/card-page.ts'
import { cardPolicy, pagePolicy } from '../../../src/server/content-security-policy.ts'
import { routeRequest } from '../../../src/server/page-routing.ts'

const asked = (target: string) => routeRequest({ target, localeCookie: null, acceptLanguage: 'hu', hasSession: true })
const options = { connect: ['wss://node.test'], isSecure: true }
const none = { scripts: [], styles: [], styleAttributes: [] }

describe('the card page', () => {
  test.each(['/dashboard/balance/card', '/de/dashboard/balance/card', '/dashboard/balance/card?transaction=1'])(
    'is %s',
    (path) => expect(isCardPage(asked(path))).toBe(true),
  )

  test.each([
    '/dashboard/balance/summary',
    '/dashboard/balance/cards',
    '/dashboard/balance/card/more',
    '/dashboard/balance/ok?next=/dashboard/balance/card',
    '/api/balance/card',
    '/dashboard/summary',
  ])('is not %s', (path) => expect(isCardPage(asked(path))).toBe(false))

  test('alone may load, frame and ask the provider', () => {
    const stripe = cardOrigins(STRIPE_SCRIPT_URL)
    const policy = cardPolicy(none, options, stripe)
    expect(policy).toContain("script-src 'self' https://js.stripe.com https://*.js.stripe.com;")
    expect(policy).toContain('frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com;')
    expect(policy).toContain("connect-src 'self' wss://node.test https://api.stripe.com;")
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain("script-src 'self' 'unsafe-inline'")
    expect(pagePolicy(none, options)).not.toContain('stripe')
  })

  test('takes a script of another address with its whole origin and nothing of Stripe', () => {
    const origins = cardOrigins('http://127.0.0.1:4242/stripe.js')
    expect(origins).toEqual({
      scripts: ['http://127.0.0.1:4242'],
      frames: ['http://127.0.0.1:4242'],
      connect: ['http://127.0.0.1:4242'],
    })
    expect(cardPolicy(none, options, origins)).not.toContain('stripe.com')
  })

  test('lets wallets open their windows, and the provider ask the browser for a payment', () => {
    const headers = cardPageHeaders(cardOrigins(STRIPE_SCRIPT_URL))
    expect(headers['Cross-Origin-Opener-Policy']).toBe('same-origin-allow-popups')
    expect(headers['Permissions-Policy']).toContain('payment=(self "https://js.stripe.com"')
  })
})

test('Apple’s file of the domain is no page, in no language, and redirects nowhere', () => {
  const path = '/.well-known/apple-developer-merchantid-domain-association'
  expect(asked(path)).toEqual({ kind: 'apple-pay' })
  expect(asked('/.well-known/other').kind).not.toBe('apple-pay')
})
