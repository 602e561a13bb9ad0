import { randomBytes } from 'node:crypto'
import * as z from 'zod'

const Settings = z.object({
  DATABASE_URL: z.string().optional(),
  CMS_POOL_MAX: z.coerce.number().int().min(2).max(50).default(5),
  APP_NAME: z.string().default('site'),
  LOG_LEVEL: z.string().default('info'),
  PAYLOAD_SECRET: z.string().optional(),
  BAKTER_MODE: z.enum(['demo', 'production']).default('demo'),
  /** `<key id>:<base64 of 32 bytes>`: seals secrets that staff type into the admin. */
  SECRETS_KEY: z.string().optional(),
})

/**
 * What the CMS takes from the environment. It is read when it is asked for and demands nothing: a build and the generators
 * have no database. That a running site has all it needs is checked by the site's own settings.
 */
export const cmsSettings = () => {
  const settings = Settings.parse(process.env)
  return {
    databaseUrl: settings.DATABASE_URL,
    poolMax: settings.CMS_POOL_MAX,
    applicationName: settings.APP_NAME,
    logLevel: settings.LOG_LEVEL,
    // Sessions and passwords live outside Payload, so nothing durable is signed with this; a process may have its own.
    payloadSecret: settings.PAYLOAD_SECRET ?? randomBytes(32).toString('hex'),
    isProduction: settings.BAKTER_MODE === 'production',
    secretsKey: settings.SECRETS_KEY,
  }
}

/** Whether this code runs inside Next, which replaces the expression at build time. */
export const isInsideNext = (): boolean => process.env.NEXT_RUNTIME === 'nodejs'

/** Names the database that a config which is loaded after this call opens. */
export const pointToDatabase = (url: string): void => {
  process.env.DATABASE_URL = url
}
