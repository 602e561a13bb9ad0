import * as z from 'zod'
import { FaultPlan } from '#platform/fault-plan.ts'
import { ClamdUrl, type ClamdAddress } from '#platform/virus-scan/clamd-address.ts'
import { parseSecretKeys, SECRET_KEYS_PATTERN, type SecretKey } from '#platform/sealed-secret.ts'
import { MAIL_VARIABLES, mailProblems, mailSettings, type MailSettings } from './messages/mail/mail-variables.ts'
import { DEFAULT_METHODS, refusePaymentMethods } from './money/payments/providers/catalog.ts'
import { PROVIDER_VARIABLES, providerSettings, type ProviderSettings } from './money/payments/provider-settings.ts'

const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())
const list = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
const port = (fallback: number) => z.coerce.number().int().min(1).max(65_535).default(fallback)
const MIN_SECRET = { demo: 16, production: 32 }

const Variables = z.object({
  BAKTER_MODE: z.enum(['demo', 'production']).default('demo'),
  DATABASE_URL: z.string().min(1),
  REDIS_URL: optional(z.string()),
  HOST: z.string().default('127.0.0.1'),
  CONTROL_PLANE_PORT: port(4_000),
  CONTROL_PLANE_INTERNAL_PORT: port(4_001),
  CONTROL_PLANE_INTERNAL_HOST: z.string().default('127.0.0.1'),
  CONTROL_PLANE_PUBLIC_URL: z.url(),
  GATEWAY_URL: optional(z.url()),
  INTERNAL_SECRET: z.string().min(MIN_SECRET.demo),
  CONTROL_PLANE_SECRET: optional(z.string().min(MIN_SECRET.demo)),
  SITE_URL: z.url(),
  SITE_ORIGINS: list,
  SITE_INTERNAL_URL: z.url(),
  TRUSTED_PROXIES: list,
  PAYMENT_METHODS: optional(z.string()),
  /** The maximum balance after a top-up, in whole forints; unlimited if unset. */
  MAXIMUM_BALANCE_FT: optional(z.coerce.number().int().min(500).max(1_000_000_000)),
  ...PROVIDER_VARIABLES,
  ...MAIL_VARIABLES,
  /** The virus scanner for the files of tickets: `tcp://host:3310` or `unix:/run/clamav/clamd.ctl`. Without it nothing is scanned. */
  CLAMD_URL: optional(ClamdUrl),
  SZAMLAZZ_URL: z.url().default('https://www.szamlazz.hu/szamla/'),
  VIES_URL: z.url().default('https://ec.europa.eu/taxation_customs/vies/rest-api/'),
  /** `<key id>:<base64 of 32 bytes>`, several separated by commas: opens secrets that staff entered in the admin. */
  SECRETS_KEY: optional(z.string().regex(SECRET_KEYS_PATTERN).transform(parseSecretKeys)),
  FAULT: optional(FaultPlan),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  BAKTER_SUPERVISED: optional(z.literal('1')),
})

export type Settings = {
  readonly mode: 'demo' | 'production'
  readonly databaseUrl: string
  readonly redisUrl: string | undefined
  readonly host: string
  readonly port: number
  readonly internalPort: number
  readonly internalHost: string
  /** Address of the public listener for browsers, without a trailing slash. */
  readonly publicUrl: string
  /** Address of the gateway's socket for browsers. */
  readonly gatewayUrl: string
  readonly internalSecret: string
  readonly controlPlaneSecret: string
  readonly siteOrigins: readonly string[]
  /** Public address of the site, without a trailing slash: links in mails begin with it. */
  readonly siteUrl: string
  readonly siteInternalUrl: string
  readonly trustedProxies: readonly string[]
  readonly paymentMethods: readonly string[]
  readonly paymentProviders: ProviderSettings
  readonly maximumBalanceFt: bigint | undefined
  readonly mail: MailSettings
  readonly clamd: ClamdAddress | undefined
  readonly secretKeys: readonly SecretKey[]
  /** Address of the Számlázz.hu Agent. */
  readonly szamlazzUrl: string
  /** Address of VIES, which checks EU VAT numbers. */
  readonly viesUrl: string
  readonly fault: FaultPlan | undefined
  readonly logLevel: string
  readonly supervised: boolean
}

export type ParsedEnvironment =
  { readonly ok: true; readonly settings: Settings } | { readonly ok: false; readonly problems: string[] }

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']

/** The origins of a site; a loopback address is reachable under several names. */
function originsOf(urls: readonly string[]): string[] {
  const origins = urls.flatMap((url) => {
    const { protocol, hostname, port: at, origin } = new URL(url)
    if (!LOOPBACK_NAMES.includes(hostname)) return [origin]
    return LOOPBACK_NAMES.map((name) => `${protocol}//${name}${at === '' ? '' : `:${at}`}`)
  })
  return [...new Set(origins)]
}

const gatewayUrlOf = (publicUrl: string): string => `${publicUrl.replace(/^http/, 'ws')}/api/ws/gateway`

/** Settings that production does not allow, one sentence for each. */
function productionProblems(variables: z.infer<typeof Variables>): string[] {
  const problems: string[] = []
  for (const name of ['INTERNAL_SECRET', 'CONTROL_PLANE_SECRET'] as const) {
    const value = variables[name]
    if (!value) problems.push(`${name} is missing.`)
    else if (value.length < MIN_SECRET.production)
      problems.push(`${name} must have at least ${MIN_SECRET.production} characters.`)
  }
  if (variables.CONTROL_PLANE_SECRET && variables.CONTROL_PLANE_SECRET === variables.INTERNAL_SECRET) {
    problems.push('CONTROL_PLANE_SECRET must not be the same as INTERNAL_SECRET.')
  }
  if (variables.MAIL_FOLDER)
    problems.push('MAIL_FOLDER is for the demo and is refused in production: name a mail server.')
  if (variables.FAULT) problems.push('FAULT is for tests and is refused in production.')
  return problems
}

function settingsOf(variables: z.infer<typeof Variables>): Settings {
  const { BAKTER_MODE: mode } = variables
  const publicUrl = variables.CONTROL_PLANE_PUBLIC_URL.replace(/\/+$/, '')
  const methods = variables.PAYMENT_METHODS?.split(',').flatMap((part) => part.trim() || [])
  return {
    mode,
    databaseUrl: variables.DATABASE_URL,
    redisUrl: variables.REDIS_URL,
    host: variables.HOST,
    port: variables.CONTROL_PLANE_PORT,
    internalPort: variables.CONTROL_PLANE_INTERNAL_PORT,
    internalHost: variables.CONTROL_PLANE_INTERNAL_HOST,
    publicUrl,
    gatewayUrl: variables.GATEWAY_URL ?? gatewayUrlOf(publicUrl),
    internalSecret: variables.INTERNAL_SECRET,
    controlPlaneSecret: variables.CONTROL_PLANE_SECRET ?? variables.INTERNAL_SECRET,
    siteOrigins: originsOf([variables.SITE_URL, ...variables.SITE_ORIGINS]),
    siteUrl: new URL(variables.SITE_URL).origin,
    siteInternalUrl: variables.SITE_INTERNAL_URL.replace(/\/+$/, ''),
    trustedProxies:
      variables.TRUSTED_PROXIES.length > 0 || mode === 'production' ? variables.TRUSTED_PROXIES : ['loopback'],
    paymentMethods: methods ?? DEFAULT_METHODS[mode],
    paymentProviders: providerSettings(variables),
    maximumBalanceFt: variables.MAXIMUM_BALANCE_FT === undefined ? undefined : BigInt(variables.MAXIMUM_BALANCE_FT),
    mail: mailSettings(variables),
    clamd: variables.CLAMD_URL,
    secretKeys: variables.SECRETS_KEY ?? [],
    szamlazzUrl: variables.SZAMLAZZ_URL,
    viesUrl: variables.VIES_URL,
    fault: variables.FAULT,
    logLevel: variables.LOG_LEVEL,
    supervised: variables.BAKTER_SUPERVISED !== undefined,
  }
}

/** Reads the environment once. Every problem is a sentence that names its variable; values are never repeated. */
export function parseEnvironment(environment: Readonly<Record<string, string | undefined>>): ParsedEnvironment {
  const parsed = Variables.safeParse(environment)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path }) => {
      const name = path.map(String).join('.')
      return environment[name] ? `${name} is not valid.` : `${name} is missing.`
    })
    if (environment['BAKTER_MODE'] === 'production' && !environment['CONTROL_PLANE_SECRET'])
      problems.push('CONTROL_PLANE_SECRET is missing.')
    return { ok: false, problems: [...new Set(problems)] }
  }
  const problems = parsed.data.BAKTER_MODE === 'production' ? productionProblems(parsed.data) : []
  problems.push(...mailProblems(parsed.data))
  const settings = settingsOf(parsed.data)
  const refusedMethods = refusePaymentMethods({
    mode: settings.mode,
    methods: settings.paymentMethods,
    providers: settings.paymentProviders,
  })
  if (refusedMethods) problems.push(refusedMethods)
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings }
}
