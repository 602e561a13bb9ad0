import { systemClock } from '#platform/clock.ts'
import { systemIds } from '#platform/ids.ts'
import { openSecret } from '#platform/sealed-secret.ts'
import { siteSettings } from '../lib/site/env.ts'
import { logLine } from '../lib/site/log-line.ts'
import { authenticate } from './sessions/authenticate.ts'
import type { Subject } from './keys/access-tokens.ts'
import type { IdentityContext } from './context/context.ts'
import { openIdentityDatabase } from './context/database.ts'
import { readDiscordApplication } from './accounts/discord-link.ts'
import type { DiscordSetting } from './accounts/discord-link.ts'
import { masterKeys } from './keys/master-keys.ts'
import { memoryLimitStore, postgresLimitStore, splitLimitStore } from './context/limit-store.ts'
import { createPasswordHasher } from './context/password-hasher.ts'
import { hasFactor, readFactors } from './sessions/second-factor.ts'
import { noPlaces, openPlaces } from './context/places.ts'
import { createSealer } from './context/sealing.ts'
import { createSigningKeys } from './context/signing-keys.ts'

/** There is only one such secret, so it is not bound to a row. */
const SECRET_PLACE = 'settings.discord_client_secret:'

// An address without a place is no reason to refuse a request.
const warnOfPlaces = (error: unknown): void =>
  logLine('warn', { error: String(error) }, 'the location database of GEOIP_DATABASE cannot be read')

const createContext = (): IdentityContext => {
  const settings = siteSettings()
  const clock = systemClock
  const db = openIdentityDatabase(settings.databaseUrl)
  const parts = { db, clock, ids: systemIds }
  const sealer = createSealer({ ...parts, masters: masterKeys(settings) })
  return {
    ...parts,
    sealer,
    hasher: createPasswordHasher(),
    places:
      settings.placeDatabase === undefined
        ? noPlaces
        : openPlaces({ file: settings.placeDatabase, clock, onFailure: warnOfPlaces }),
    limits: splitLimitStore({ shared: postgresLimitStore(db, clock), local: memoryLimitStore(clock) }),
    sealSecret: settings.sealSecret,
    keys: createSigningKeys({ ...parts, sealer, olderSecret: settings.sealSecret }),
  }
}

// The server and each route are separate bundles: they share the process's pool, hash queue and keys through this
// symbol.
const SLOT = Symbol.for('bakter.identity')
type Holder = { [SLOT]?: IdentityContext }

/** The identity part of this process, created on first use. */
export const identity = (): IdentityContext => ((globalThis as Holder)[SLOT] ??= createContext())

/** The currently configured Discord application, or null while there is none. */
export const discordSetting = async (): Promise<DiscordSetting | null> => {
  const settings = siteSettings()
  const keys = masterKeys(settings)
  const open = (sealed: string) => openSecret(sealed, { keys, place: SECRET_PLACE }).toString()
  const application = await readDiscordApplication(identity().db, open)
  if (application === null) return null
  return { application, discord: { baseUrl: settings.discordUrl }, redirectUri: `${settings.siteUrl}/login` }
}

/** The sender of the request, by cookie or bearer token, or null. The session is checked in the database. */
export const authenticateRequest = async (headers: Headers): Promise<(Subject & { hasFactor: boolean }) | null> => {
  const result = await authenticate(identity(), headers, siteSettings().isSecure)
  if (!result.ok) return null
  const { subject } = result
  return { ...subject, hasFactor: hasFactor(await readFactors(identity().db, subject.userId)) }
}
