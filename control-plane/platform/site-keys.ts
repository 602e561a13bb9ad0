import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose'

/** The site's public keys, read from its private port, cached for ten minutes, and reloaded for an unknown key id. */
export function siteKeys(siteInternalUrl: string): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(`${siteInternalUrl}/jwks`), {
    cacheMaxAge: 600_000,
    cooldownDuration: 5_000,
    timeoutDuration: 5_000,
  })
}
