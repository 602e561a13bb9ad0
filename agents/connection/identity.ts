import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import * as z from 'zod'
import { challengeText, handshakeText } from '#contracts/agent/session.ts'
import { AgentError } from '../platform/agent-error.ts'
import type { Disk } from '../platform/disk.ts'

const NodeFile = z.object({ version: z.literal(1), nodeId: z.string(), name: z.string(), epoch: z.number().int() })
type NodeFile = z.infer<typeof NodeFile>

/**
 * The node's identity: an Ed25519 key that never leaves the disk, and the id that the control plane issued for it. Both
 * files have mode 0600.
 */
export class NodeIdentity {
  readonly #disk: Disk
  readonly #folder: string
  readonly #key: KeyObject
  #node: NodeFile | undefined
  #isWritten = true

  constructor(disk: Disk, folder: string) {
    this.#disk = disk
    this.#folder = folder
    disk.makeFolder(folder, 0o700)
    this.#key = this.#readOrMakeKey()
    this.#node = this.#readNode()
  }

  get nodeId(): string | undefined {
    return this.#node?.nodeId
  }

  /** The highest control plane epoch that this node has served. */
  get epoch(): number {
    return this.#node?.epoch ?? 0
  }

  /** Raw public key, base64url, for the enrolment. */
  get publicKey(): string {
    const { x } = createPublicKey(this.#key).export({ format: 'jwk' })
    if (x === undefined) throw new AgentError('STATE_UNREADABLE', 'The key of this node is no Ed25519 key.')
    return x
  }

  signChallenge(nodeId: string, challenge: string): string {
    return sign(null, Buffer.from(challengeText(nodeId, challenge)), this.#key).toString('base64url')
  }

  /** The proof of a handshake, which control planes of older versions ignore. Undefined before the enrolment. */
  handshakeProof(atMs: number): string | undefined {
    const { nodeId } = this
    if (nodeId === undefined) return undefined
    const signature = sign(null, Buffer.from(handshakeText(nodeId, atMs)), this.#key).toString('base64url')
    return `${nodeId}.${atMs}.${signature}`
  }

  remember(node: { nodeId: string; name: string }): void {
    this.#write({ version: 1, ...node, epoch: this.epoch })
  }

  /** In force when it returns. If the disk refuses, it is written again at the next welcome. */
  raiseEpoch(epoch: number): void {
    if (this.#node === undefined || (epoch <= this.#node.epoch && this.#isWritten)) return
    const raised = { ...this.#node, epoch: Math.max(epoch, this.#node.epoch) }
    try {
      this.#write(raised)
    } catch {
      this.#node = raised
      this.#isWritten = false
    }
  }

  #write(node: NodeFile): void {
    this.#disk.writeAtomically(`${this.#folder}/identity.json`, JSON.stringify(node))
    this.#node = node
    this.#isWritten = true
  }

  #readOrMakeKey(): KeyObject {
    const file = `${this.#folder}/node-key.pem`
    const text = this.#disk.read(file)
    if (text !== undefined) return createPrivateKey(text)
    const { privateKey } = generateKeyPairSync('ed25519')
    this.#disk.writeAtomically(file, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
    return privateKey
  }

  #readNode(): NodeFile | undefined {
    const text = this.#disk.read(`${this.#folder}/identity.json`)
    if (text === undefined) return undefined
    try {
      return NodeFile.parse(JSON.parse(text))
    } catch (error) {
      const message = `${this.#folder}/identity.json is damaged. Delete it and enrol this node again.`
      throw new AgentError('STATE_UNREADABLE', message, { cause: error })
    }
  }
}
