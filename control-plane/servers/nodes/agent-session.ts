import { createPublicKey, verify } from 'node:crypto'
import { AGENT_PROTOCOL_VERSION, challengeText, type FromAgent, type ToAgent } from '#contracts/agent/session.ts'
import type * as z from 'zod'

type Hello = Extract<FromAgent, { type: 'hello' }>
export type RefusalCode =
  z.infer<typeof ToAgent> extends infer Message
    ? Message extends { type: 'refused'; code: infer Code }
      ? Code
      : never
    : never

/** The state of a connection. Only `live` has a node. */
export type SessionState =
  | { readonly phase: 'challenged'; readonly challenge: string }
  | { readonly phase: 'live'; readonly nodeId: string; readonly sessionId: string; readonly connectedAtMs: number }
  | { readonly phase: 'closed' }

/** The DER head of an Ed25519 public key (RFC 8410); the 32 raw bytes follow. */
const ED25519_SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex')

/** Whether `signature` (base64url) of the text was made with the key. */
export function isSignedText(publicKey: string, text: string, signature: string): boolean {
  try {
    const der = Buffer.concat([ED25519_SPKI_HEAD, Buffer.from(publicKey, 'base64url')])
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}

/** Whether the challenge was signed with the node's key. */
export function isSignedBy(
  publicKey: string,
  { nodeId, challenge, signature }: { nodeId: string; challenge: string; signature: string },
): boolean {
  return isSignedText(publicKey, challengeText(nodeId, challenge), signature)
}

/** The reason to refuse a hello, or undefined. The response to a stranger does not reveal which nodes exist. */
export function helloRefusal(
  hello: Hello,
  known: { publicKey: string | undefined; challenge: string; epoch: number },
): { code: RefusalCode; message: string } | undefined {
  if (hello.protocol !== AGENT_PROTOCOL_VERSION) {
    const message = `This control plane speaks protocol ${AGENT_PROTOCOL_VERSION}, the agent ${hello.protocol}: update the older one.`
    return { code: 'PROTOCOL_VERSION', message }
  }
  if (known.publicKey === undefined) {
    return { code: 'UNKNOWN_NODE', message: 'No computer has enrolled with this id: enrol the agent again.' }
  }
  const { nodeId, signature } = hello
  if (!isSignedBy(known.publicKey, { nodeId, challenge: known.challenge, signature })) {
    return { code: 'BAD_SIGNATURE', message: 'The key of this agent is not the one that its computer enrolled with.' }
  }
  if (hello.epoch > known.epoch) {
    const message = `The database is older (epoch ${known.epoch}) than what this node has seen (${hello.epoch}): staff must raise the epoch.`
    return { code: 'EPOCH', message }
  }
  return undefined
}
