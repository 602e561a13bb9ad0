import { SignJWT, type JWTPayload } from 'jose'
import type { Caller } from '#contracts/internal-api/calls.ts'
import type { Context } from '../../platform/context.ts'
import { readComputer } from '../../cms/cms-reader.ts'
import { findNode } from '../store/node-store.ts'
import type { ServerRecord } from '../store/server-store.ts'
import type { ConsoleKey } from './console-keys.ts'
import type { ServerAccess } from './server-access.ts'

export type SigningDeps = Context & { consoleKey: ConsoleKey }
type TokenCaller = Pick<Caller, 'userId' | 'sessionId'> & Partial<Pick<Caller, 'address' | 'seesAs' | 'way'>>

/** The node that a server is on, and the address of its computer; undefined if either is unknown. */
export async function nodeOf(
  deps: Context,
  server: Pick<ServerRecord, 'nodeId'>,
): Promise<{ id: string; url: string } | undefined> {
  const node = await findNode(deps.db, server.nodeId)
  const computer = node && (await readComputer(deps.db, node.computerId))
  return node && computer ? { id: node.id, url: computer.url } : undefined
}

type ClaimsRequest = {
  readonly caller: TokenCaller
  readonly access: Pick<ServerAccess, 'server' | 'endsAtMs'>
  readonly nodeId: string
  readonly seconds: number
  /** When the caller's permissions were asked for: a change that they do not know yet revokes every token from before it. */
  readonly askedAtMs: number
}

/**
 * Claims that every token of a node has: who, from where, for which server and node, for so many seconds or until the
 * caller's share ends. The node's agent checks all of them (SPEC.md P2).
 */
export const nodeClaims = (
  deps: SigningDeps,
  { caller, access: { server, endsAtMs }, nodeId, seconds, askedAtMs }: ClaimsRequest,
) => {
  const iat = Math.floor(askedAtMs / 1_000)
  const exp = iat + seconds
  return {
    iss: 'bakter-control-plane' as const,
    aud: nodeId,
    sub: caller.userId,
    sid: caller.sessionId,
    jti: deps.ids.next(),
    iat,
    exp: endsAtMs === null ? exp : Math.min(exp, Math.floor(endsAtMs / 1_000)),
    server: server.id,
    ...(caller.address === undefined ? {} : { address: caller.address.slice(0, 64) }),
    ...(caller.way === 'api' ? { way: caller.way } : {}),
    ...(caller.seesAs === undefined ? {} : { seesAs: true as const, seen: caller.seesAs }),
  }
}

/** Signs claims with the control plane's key. `typ` keeps a token of one purpose from being used for another. */
export const signNodeToken = (claims: JWTPayload, typ: string, key: ConsoleKey): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', typ, kid: key.kid }).sign(key.privateKey)
