import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { DEMO_PORTS, startDemo, type Demo } from './demo.ts'
import { freePorts } from './free-port.ts'

/** Where the demos of the end-to-end tests have their data. */
export const DEMOS = fileURLToPath(new URL('../../.build/e2e', import.meta.url))

const RESERVED = 'BAKTER_E2E_PORTS'
/** Above those of a demo that nobody told its game ports: the suite beside has such ones. */
const FIRST_GAME_PORT = 25_765
const GAME_PORTS = 100
const FIRST_USER = 410_000
const USERS = 10_000

/** Where a test may stand in for somebody outside. */
const OUTSIDE = ['DISCORD', 'STRIPE', 'PAYPAL', 'BARION'] as const
/** The listeners of a demo, and those. */
const EACH = [...DEMO_PORTS, ...OUTSIDE]

/** The keys with which the demos know the emulators of the providers. */
export const STRIPE_KEYS = {
  secretKey: 'sk_test_of_the_journeys',
  publishableKey: 'pk_test_of_the_journeys',
  webhookSecrets: ['whsec_of_the_journeys'],
}
export const PAYPAL_KEYS = {
  clientId: 'journeys',
  clientSecret: 'secret-of-the-journeys',
  webhookId: '1JE4291016473214C',
}

export const BARION_KEYS = { posKey: 'pos-key-of-the-journeys', payee: 'shop@bakter.test' }
export const PHONE_SECRET = 'the secret of the aggregator of the journeys'

/** Looks for the ports of all workers at once, so that no two get the same; workers read them from the environment. */
export async function reservePorts(workers: number): Promise<void> {
  process.env[RESERVED] = (await freePorts(workers * EACH.length)).join(',')
}

export interface WorkerDemo {
  readonly demo: Demo
  /** Nothing listens there until a test stands in for Discord or a provider. */
  readonly discordPort: number
  readonly stripePort: number
  readonly paypalPort: number
  readonly barionPort: number
}

/** Every demo offers the ways to pay; what they lead to must be started by a test. */
const paymentVariables = ({
  stripePort,
  paypalPort,
  barionPort,
}: Pick<WorkerDemo, 'stripePort' | 'paypalPort' | 'barionPort'>): Record<string, string> => ({
  PAYMENT_METHODS: 'sandbox,stripe,paypal,barion,phone',
  BARION_API_URL: `http://127.0.0.1:${barionPort}`,
  BARION_PAY_URL: `http://127.0.0.1:${barionPort}`,
  BARION_POS_KEY: BARION_KEYS.posKey,
  BARION_PAYEE: BARION_KEYS.payee,
  PHONE_SECRETS: PHONE_SECRET,
  PHONE_TARIFFS: 'premium-sms:1905:800:06-90-888-333,premium-call:1905:800:06-90-111-222',
  STRIPE_API_URL: `http://127.0.0.1:${stripePort}`,
  STRIPE_JS_URL: `http://127.0.0.1:${stripePort}/stripe.js`,
  STRIPE_SECRET_KEY: STRIPE_KEYS.secretKey,
  STRIPE_PUBLISHABLE_KEY: STRIPE_KEYS.publishableKey,
  STRIPE_WEBHOOK_SECRET: STRIPE_KEYS.webhookSecrets.join(','),
  PAYPAL_API_URL: `http://127.0.0.1:${paypalPort}`,
  PAYPAL_CLIENT_ID: PAYPAL_KEYS.clientId,
  PAYPAL_CLIENT_SECRET: PAYPAL_KEYS.clientSecret,
  PAYPAL_WEBHOOK_ID: PAYPAL_KEYS.webhookId,
  APPLE_PAY_DOMAIN_ASSOCIATION: 'the proof of this domain',
})

/**
 * A demo with an empty data folder for one worker: tests may kill its programs and change its settings without meeting those
 * of another worker. `slot` counts the workers that run at once, `worker` all there have been: the data of one whose test
 * has failed stays.
 */
export async function startWorkerDemo({
  slot,
  worker,
  env = {},
}: {
  slot: number
  worker: number
  /** Further settings of this demo. */
  env?: Record<string, string>
}): Promise<WorkerDemo> {
  const reserved = process.env[RESERVED]?.split(',').map(Number) ?? []
  const own = reserved.slice(slot * EACH.length, (slot + 1) * EACH.length)
  const [discordPort, stripePort, paypalPort, barionPort] = own.slice(DEMO_PORTS.length)
  if (discordPort === undefined || stripePort === undefined || paypalPort === undefined || barionPort === undefined)
    throw new Error('The global set-up has reserved no ports for this worker.')
  const firstGamePort = FIRST_GAME_PORT + slot * GAME_PORTS
  const demo = await startDemo({
    dataDir: join(DEMOS, String(worker)),
    ports: Object.fromEntries(DEMO_PORTS.map((name, at) => [name, own[at] ?? 0])),
    env: {
      ...paymentVariables({ stripePort, paypalPort, barionPort }),
      DISCORD_URL: `http://127.0.0.1:${discordPort}`,
      GAME_PORTS: `${firstGamePort}-${firstGamePort + GAME_PORTS - 1}`,
      // An agent ends what its servers leave behind by their users.
      AGENT_UID_BASE: String(FIRST_USER + slot * USERS),
      ...env,
    },
  })
  return { demo, discordPort, stripePort, paypalPort, barionPort }
}
