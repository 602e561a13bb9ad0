import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { exportJWK, SignJWT } from 'jose'

import { systemIds } from '#platform/ids.ts'

export interface SiteKeys {
  readonly url: string
  accessToken(userId: string): Promise<string>
  close(): Promise<void>
}

/** The private port of a site as the control plane uses it: its public keys. Signs access tokens with them. */
export const startSiteKeys = async (): Promise<SiteKeys> => {
  const pair = generateKeyPairSync('ed25519')
  const keys = [{ ...(await exportJWK(pair.publicKey)), kid: 'site', alg: 'EdDSA', use: 'sig' }]
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ keys }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accessToken: (userId) =>
      new SignJWT({ sid: systemIds.next() })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: 'site' })
        .setIssuer('bakter')
        .setAudience('bakter')
        .setSubject(userId)
        .setJti(systemIds.next())
        .setIssuedAt()
        .setExpirationTime('15m')
        .sign(pair.privateKey),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
