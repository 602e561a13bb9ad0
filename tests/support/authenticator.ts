import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

const UP = 0x01
const UV = 0x04
const AT = 0x40

type Shown = { challenge: string; origin: string; rpId: string }

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()
const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')
const number = (value: number, bytes: number) => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}

/**
 * A software authenticator with one ES256 credential: the responses of a browser and a security key to our options. Its
 * fields can imitate a broken or a cloned one.
 */
export class SoftwareAuthenticator {
  readonly credentialId = randomBytes(32)
  readonly #pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  counter = 0
  /** Added to the counter at each use; 0 imitates a passkey that is synchronised between devices. */
  step = 1
  /** Whether it asks for a finger, a face or a PIN. */
  verifiesUser = true
  userHandle: string | undefined

  #clientData(type: 'webauthn.create' | 'webauthn.get', { challenge, origin }: Shown) {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  #head(rpId: string, more: number) {
    this.counter += this.step
    return Buffer.concat([sha256(rpId), number(UP | (this.verifiesUser ? UV : 0) | more, 1), number(this.counter, 4)])
  }

  #publicKey() {
    const { x = '', y = '' } = this.#pair.publicKey.export({ format: 'jwk' })
    const part = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
    const entries: [number, number | Uint8Array][] = [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, part(x)],
      [-3, part(y)],
    ]
    return isoCBOR.encode(new Map(entries))
  }

  /** The response of `navigator.credentials.create`. */
  create(shown: Shown & { userHandle?: string }) {
    this.userHandle = shown.userHandle
    const credential = Buffer.concat([Buffer.alloc(16), number(this.credentialId.length, 2), this.credentialId])
    const authData = Buffer.concat([this.#head(shown.rpId, AT), credential, this.#publicKey()])
    const attestation = isoCBOR.encode(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ]) as Parameters<typeof isoCBOR.encode>[0],
    )
    return {
      id: base64url(this.credentialId),
      rawId: base64url(this.credentialId),
      type: 'public-key' as const,
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(this.#clientData('webauthn.create', shown)),
        attestationObject: base64url(attestation),
        transports: ['internal'],
      },
    }
  }

  /** The response of `navigator.credentials.get`. */
  get(shown: Shown) {
    const clientData = this.#clientData('webauthn.get', shown)
    const authData = this.#head(shown.rpId, 0)
    const signature = createSign('sha256')
      .update(Buffer.concat([authData, sha256(clientData)]))
      .sign(this.#pair.privateKey)
    return {
      id: base64url(this.credentialId),
      rawId: base64url(this.credentialId),
      type: 'public-key' as const,
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authData),
        signature: base64url(signature),
        ...(this.userHandle === undefined ? {} : { userHandle: this.userHandle }),
      },
    }
  }
}
