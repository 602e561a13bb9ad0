import { importJWK, jwtVerify, type CryptoKey } from 'jose'
import type * as z from 'zod'
import {
  ARCHIVE_TOKEN_TYPE,
  ArchiveTokenClaims,
  ConsoleTokenClaims,
  DOWNLOAD_TOKEN_TYPE,
  DownloadTokenClaims,
  FILES_TOKEN_TYPE,
  FilesTokenClaims,
  PORTS_TOKEN_TYPE,
  PortsTokenClaims,
  TOKEN_SKEW_SECONDS,
} from '#contracts/panel/token.ts'
import type { Clock } from '#platform/clock.ts'

export type TokenReading<Claims = ConsoleTokenClaims> =
  | { readonly ok: true; readonly claims: Claims }
  | { readonly ok: false; readonly code: 'INVALID_TOKEN' | 'UNKNOWN_KEY' }

/** Checks tokens with the keys that the control plane sent with the welcome. */
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

  /** Replaces all keys: one that the control plane no longer lists is invalid. */
  async learn(keys: readonly { readonly kid: string; readonly x: string }[]): Promise<void> {
    const imported = new Map<string, CryptoKey>()
    for (const { kid, x } of keys) {
      const key = await importJWK({ kty: 'OKP', crv: 'Ed25519', x }, 'EdDSA')
      if (!(key instanceof Uint8Array)) imported.set(kid, key)
    }
    this.#keys = imported
  }

  /** The claims of a token from this node's control plane for this node and server (rule P2). */
  read(token: string, serverId: string): Promise<TokenReading> {
    return this.#read(token, { serverId, schema: ConsoleTokenClaims })
  }

  /** As `read`, for a token that is valid only for an archive. The caller checks whether it was used. */
  readArchive(token: string, serverId: string): Promise<TokenReading<ArchiveTokenClaims>> {
    return this.#read(token, { serverId, schema: ArchiveTokenClaims, typ: ARCHIVE_TOKEN_TYPE })
  }

  /** As `read`, for the calls about a server's files. */
  readFiles(token: string, serverId: string): Promise<TokenReading<FilesTokenClaims>> {
    return this.#read(token, { serverId, schema: FilesTokenClaims, typ: FILES_TOKEN_TYPE })
  }

  /** As `readArchive`, for one file or folder. */
  readDownload(token: string, serverId: string): Promise<TokenReading<DownloadTokenClaims>> {
    return this.#read(token, { serverId, schema: DownloadTokenClaims, typ: DOWNLOAD_TOKEN_TYPE })
  }

  /** As `readFiles`, for what listens on a server's ports. */
  readPorts(token: string, serverId: string): Promise<TokenReading<PortsTokenClaims>> {
    return this.#read(token, { serverId, schema: PortsTokenClaims, typ: PORTS_TOKEN_TYPE })
  }

  async #read<Claims extends Pick<ConsoleTokenClaims, 'server' | 'iat'>>(
    token: string,
    asked: { readonly serverId: string; readonly schema: z.ZodType<Claims>; readonly typ?: string },
  ): Promise<TokenReading<Claims>> {
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
          ...(asked.typ === undefined ? {} : { typ: asked.typ }),
        },
      )
      const claims = asked.schema.safeParse(payload)
      if (!claims.success || claims.data.server !== asked.serverId) return { ok: false, code: 'INVALID_TOKEN' }
      const issuedInFuture = claims.data.iat * 1_000 > this.#clock.now() + TOKEN_SKEW_SECONDS * 1_000
      return issuedInFuture ? { ok: false, code: 'INVALID_TOKEN' } : { ok: true, claims: claims.data }
    } catch {
      return { ok: false, code: 'INVALID_TOKEN' }
    }
  }
}
