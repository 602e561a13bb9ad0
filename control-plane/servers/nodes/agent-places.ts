import { AGENT_PROOF_MS, handshakeText } from '#contracts/agent/session.ts'
import { OVERLOAD } from '#contracts/overload.ts'
import { isUuid } from '#domain/kernel/uuid.ts'
import { addressKey } from '#platform/address-key.ts'
import { KeyedBuckets } from '#platform/token-bucket.ts'
import type { Context } from '../../platform/context.ts'
import { findNode } from '../store/node-store.ts'
import { isSignedText } from './agent-session.ts'

/** A connection that has not signed its challenge. `provenNodeId`: it proved in its handshake that it is this node. */
export type UnknownAgent = {
  readonly socket: { readonly address: string }
  readonly provenNodeId: string | undefined
}

/** `<node id>.<time>.<signature>` */
const FORM = /^([0-9a-f-]{36})\.(\d{1,15})\.([\w-]+)$/
const MAX_ADDRESSES = 10_000

/**
 * The places of agents before their hello. Each may hold a whole frame, so strangers get few. A node that proves itself
 * in the handshake has places of its own, so that a flood of strangers cuts no node off (security case 137).
 */
export class AgentPlaces {
  readonly #deps: Pick<Context, 'db' | 'clock'>
  readonly #checks = new KeyedBuckets(MAX_ADDRESSES)

  constructor(deps: Pick<Context, 'db' | 'clock'>) {
    this.#deps = deps
  }

  /** The node whose key signed the proof lately. Checks of one address are limited, because each reads the database. */
  async provenNode(proof: string | undefined, address: string): Promise<string | undefined> {
    const [, nodeId, atMs, signature] = FORM.exec(proof ?? '') ?? []
    if (nodeId === undefined || atMs === undefined || signature === undefined) return undefined
    // The database refuses a statement with any other text.
    if (!isUuid(nodeId)) return undefined
    const nowMs = this.#deps.clock.now()
    if (Math.abs(nowMs - Number(atMs)) > AGENT_PROOF_MS) return undefined
    if (!this.#checks.take(addressKey(address), OVERLOAD.gateway.agentProofs, nowMs).ok) return undefined
    const node = await findNode(this.#deps.db, nodeId)
    if (node === undefined) return undefined
    return isSignedText(node.publicKey, handshakeText(nodeId, Number(atMs)), signature) ? nodeId : undefined
  }

  hasRoomFor({ socket, provenNodeId }: UnknownAgent, present: readonly UnknownAgent[]): boolean {
    const { unproven, unprovenPerAddress, provenPerNode } = OVERLOAD.gateway.agents
    if (provenNodeId !== undefined)
      return present.filter((other) => other.provenNodeId === provenNodeId).length < provenPerNode
    const strangers = present.filter((other) => other.provenNodeId === undefined)
    const key = addressKey(socket.address)
    const ofAddress = strangers.filter((other) => addressKey(other.socket.address) === key)
    return strangers.length < unproven && ofAddress.length < unprovenPerAddress
  }
}
