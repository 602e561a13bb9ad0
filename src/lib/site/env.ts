import * as z from 'zod'
import { STRIPE_SCRIPT_URL } from '#contracts/http/card-page.ts'
import { SECRET_KEYS_PATTERN } from '#platform/sealed-secret.ts'
import { ClamdUrl } from '#platform/virus-scan/clamd-address.ts'

const Port = z.coerce.number().int().min(0).max(65_535)
const Flag = z
  .enum(['0', '1'])
  .default('0')
  .transform((value) => value === '1')
const Secret = z.string().min(16)

const Settings = z.object({
  BAKTER_MODE: z.enum(['demo', 'production']).default('demo'),
  NODE_ENV: z.string().default('development'),
  HOST: z.string().default('127.0.0.1'),
  /** The address of the private listener, for this machine or this network only. */
  INTERNAL_HOST: z.string().default('127.0.0.1'),
  PORT: Port.default(3000),
  SITE_HEALTH_PORT: Port.default(3001),
  /** The site's public address. Redirects, links and cookies follow it, never a header. */
  SITE_URL: z.url().optional(),
  /** The control plane's private listener. */
  CONTROL_PLANE_URL: z.url().optional(),
  /** The control plane's public listener: the gateway's address, `ws:` or `http:`. */
  GATEWAY_URL: z.url().optional(),
  DATABASE_URL: z.string().min(1),
  INTERNAL_SECRET: Secret,
  /** Payload's own secret. The master key is derived from it while SECRETS_KEY is unset. */
  PAYLOAD_SECRET: Secret,
  /**
   * `<key id>:<base64 of 32 bytes>`, newest first, separated by commas: the master keys of everything that is sealed.
   */
  SECRETS_KEY: z.string().regex(SECRET_KEYS_PATTERN).optional(),
  /** The folder of the demo's mails. */
  MAIL_FOLDER: z.string().optional(),
  /** A location database (mmdb) that maps addresses to places. Without it places are empty. */
  GEOIP_DATABASE: z.string().optional(),
  /** Discord's address, for tests: production always uses the real one. */
  DISCORD_URL: z.url().optional(),
  /** A catalog in place of the English one; the demo's tests use it to find text outside the catalogs. */
  CATALOG_FILE: z.string().optional(),
  /** The origin of the card page's script. The control plane has the same setting. */
  STRIPE_JS_URL: z.url().default(STRIPE_SCRIPT_URL),
  /** The domain association file for Apple, as issued by the provider. */
  APPLE_PAY_DOMAIN_ASSOCIATION: z.string().optional(),
  /** The virus scanner: `tcp://host:3310` or `unix:/run/clamav/clamd.ctl`. The control plane has the same setting. */
  CLAMD_URL: ClamdUrl.optional(),
  TRUSTED_PROXIES: z.string().default(''),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  /** Set by the supervisor: the site exits with its parent. */
  BAKTER_SUPERVISED: Flag,
})

const PLACEHOLDER = /^(change-?me|secret|example|dev-.*|test)$/i

/** The site's settings, as every part of it reads them. URLs have no trailing slash. */
export type SiteSettings = ReturnType<typeof parseSettings>

/** The environment is invalid; the message is one sentence that names the fault. */
export class SettingsInvalid extends Error {
  override name = 'SettingsInvalid'
}

const origin = (url: string) => new URL(url).origin

/** Parses the environment, or throws SettingsInvalid with one sentence that names each missing or wrong variable. */
export const parseSettings = (environment: Readonly<Record<string, string | undefined>>) => {
  const filled = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Settings.safeParse(filled)
  if (!parsed.success) {
    const names = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))]
    const missing = names.filter((name) => filled[name] === undefined)
    const wrong = names.filter((name) => filled[name] !== undefined)
    const parts = [
      ...(missing.length > 0 ? [`${missing.join(', ')} must be set`] : []),
      ...(wrong.length > 0 ? [`${wrong.join(', ')} cannot be used as set`] : []),
    ]
    throw new SettingsInvalid(`The site does not start: ${parts.join('; ')}.`)
  }
  const settings = parsed.data
  const required = ['SITE_URL', 'CONTROL_PLANE_URL', 'GATEWAY_URL', 'SECRETS_KEY'] as const
  const missing = settings.BAKTER_MODE === 'production' ? required.filter((name) => settings[name] === undefined) : []
  if (missing.length > 0) throw new SettingsInvalid(`The site does not start: ${missing.join(', ')} must be set.`)
  for (const name of ['INTERNAL_SECRET', 'PAYLOAD_SECRET'] as const) {
    if (settings.BAKTER_MODE === 'production' && PLACEHOLDER.test(settings[name])) {
      throw new SettingsInvalid(`The site does not start: ${name} is a placeholder.`)
    }
  }
  if (settings.BAKTER_MODE === 'production' && !settings.STRIPE_JS_URL.startsWith('https:')) {
    throw new SettingsInvalid('The site does not start: STRIPE_JS_URL must be https.')
  }
  const siteUrl = origin(settings.SITE_URL ?? `http://127.0.0.1:${settings.PORT}`)
  return {
    mode: settings.BAKTER_MODE,
    host: settings.HOST,
    internalHost: settings.INTERNAL_HOST,
    /** Whether a finished build is served; else Next compiles pages on request. */
    isBuilt: settings.NODE_ENV === 'production',
    port: settings.PORT,
    healthPort: settings.SITE_HEALTH_PORT,
    siteUrl,
    isSecure: siteUrl.startsWith('https:'),
    controlPlaneUrl: origin(settings.CONTROL_PLANE_URL ?? 'http://127.0.0.1:4001'),
    gatewayUrl: origin((settings.GATEWAY_URL ?? 'http://127.0.0.1:4000').replace(/^ws/, 'http')),
    databaseUrl: settings.DATABASE_URL,
    internalSecret: settings.INTERNAL_SECRET,
    sealSecret: settings.PAYLOAD_SECRET,
    placeDatabase: settings.GEOIP_DATABASE,
    /** Production has no mailbox page, whatever its environment says. */
    mailFolder: settings.BAKTER_MODE === 'demo' ? settings.MAIL_FOLDER : undefined,
    catalogFile: settings.BAKTER_MODE === 'demo' ? settings.CATALOG_FILE : undefined,
    secretsKey: settings.SECRETS_KEY,
    discordUrl: origin((settings.BAKTER_MODE === 'demo' ? settings.DISCORD_URL : undefined) ?? 'https://discord.com'),
    trustedProxies: settings.TRUSTED_PROXIES.split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
    stripeScriptUrl: settings.STRIPE_JS_URL,
    clamd: settings.CLAMD_URL,
    applePayDomain: settings.APPLE_PAY_DOMAIN_ASSOCIATION,
    logLevel: settings.LOG_LEVEL,
    isSupervised: settings.BAKTER_SUPERVISED,
  }
}

let current: SiteSettings | undefined

/** The settings of this process, parsed once. Not at import: a build has no secrets. */
export const siteSettings = (): SiteSettings => (current ??= parseSettings(process.env))
