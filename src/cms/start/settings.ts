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
 * The CMS's part of the environment. It is read on demand and requires nothing, because a build and the generators have
 * no database. The site's own settings check that a running site has everything.
 */
export const cmsSettings = () => {
  const settings = Settings.parse(process.env)
  return {
    databaseUrl: settings.DATABASE_URL,
    poolMax: settings.CMS_POOL_MAX,
    applicationName: settings.APP_NAME,
    logLevel: settings.LOG_LEVEL,
    // Sessions and passwords are outside Payload, so nothing durable is signed with this; each process may have its
    // own.
    payloadSecret: settings.PAYLOAD_SECRET ?? randomBytes(32).toString('hex'),
    isProduction: settings.BAKTER_MODE === 'production',
    secretsKey: settings.SECRETS_KEY,
  }
}

/** Whether this code runs inside Next, which replaces the expression at build time. */
export const isInsideNext = (): boolean => process.env.NEXT_RUNTIME === 'nodejs'

/** Sets the database for configs that are loaded after this call. */
export const pointToDatabase = (url: string): void => {
  process.env.DATABASE_URL = url
}
