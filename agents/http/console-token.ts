import { importJWK, jwtVerify, type CryptoKey } from 'jose'
import { ConsoleTokenClaims, TOKEN_SKEW_SECONDS } from '#contracts/panel/token.ts'
import type { Clock } from '../platform/clock.ts'

export type TokenReading =
  | { readonly ok: true; readonly claims: ConsoleTokenClaims }
  | { readonly ok: false; readonly code: 'INVALID_TOKEN' | 'UNKNOWN_KEY' }

/** Checks tokens with the keys that the control plane told at the hello. */
export class ConsoleTokens {
  readonly #clock: Clock
  readonly #nodeId: () => string | undefined
  #keys = new Map<string, CryptoKey>()

  constructor(clock: Clock, nodeId: () => string | undefined) {
    this.#clock = clock
    this.#nodeId = nodeId
  }

  get hasKeys(): boolean {
    return this.#keys.size > 0
  }

  /** Replaces all keys: one that the control plane does not name any more opens nothing. */
  async learn(keys: readonly { readonly kid: string; readonly x: string }[]): Promise<void> {
    const imported = new Map<string, CryptoKey>()
    for (const { kid, x } of keys) {
      const key = await importJWK({ kty: 'OKP', crv: 'Ed25519', x }, 'EdDSA')
      if (!(key instanceof Uint8Array)) imported.set(kid, key)
    }
    this.#keys = imported
  }

  /** The claims of a token of this node's control plane for this node and this server (rule P2). */
  async read(token: string, serverId: string): Promise<TokenReading> {
    const nodeId = this.#nodeId()
    if (nodeId === undefined) return { ok: false, code: 'UNKNOWN_KEY' }
    try {
      const { payload } = await jwtVerify(
        token,
        (header) => {
          const key = this.#keys.get(header.kid ?? '')
          if (key === undefined) throw new Error('unknown kid')
          return key
        },
        {
          algorithms: ['EdDSA'],
          audience: nodeId,
          clockTolerance: TOKEN_SKEW_SECONDS,
          currentDate: new Date(this.#clock.now()),
        },
      )
      const claims = ConsoleTokenClaims.safeParse(payload)
      if (!claims.success || claims.data.server !== serverId) return { ok: false, code: 'INVALID_TOKEN' }
      const issuedInFuture = claims.data.iat * 1_000 > this.#clock.now() + TOKEN_SKEW_SECONDS * 1_000
      return issuedInFuture ? { ok: false, code: 'INVALID_TOKEN' } : { ok: true, claims: claims.data }
    } catch {
      return { ok: false, code: 'INVALID_TOKEN' }
    }
  }
}
