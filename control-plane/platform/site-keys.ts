import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose'

/** The site's public keys, asked from its private port, kept for ten minutes, and asked again for an unknown key id. */
export function siteKeys(siteInternalUrl: string): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(`${siteInternalUrl}/jwks`), {
    cacheMaxAge: 600_000,
    cooldownDuration: 5_000,
    timeoutDuration: 5_000,
  })
}
