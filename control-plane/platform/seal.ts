import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'

/** The sealed bytes do not open: another secret sealed them, or they were changed. */
export class SealBroken extends Error {
  override name = 'SealBroken'
}

const keyOf = (secret: string) => Buffer.from(hkdfSync('sha256', secret, '', 'bakter control plane seal 1', 32))

/** Seals bytes with AES-256-GCM under a key derived from `secret`; `label` is bound to them. Layout: nonce 12, tag 16, rest. */
export function seal(
  plain: Uint8Array,
  { secret, label, nonce }: { secret: string; label: string; nonce: Uint8Array },
): Buffer {
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce).setAAD(Buffer.from(label))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** Opens what `seal` made; throws SealBroken when the secret, the label or a byte differs. */
export function unseal(sealed: Uint8Array, { secret, label }: { secret: string; label: string }): Buffer {
  const bytes = Buffer.from(sealed)
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), bytes.subarray(0, 12)).setAAD(Buffer.from(label))
  decipher.setAuthTag(bytes.subarray(12, 28))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()])
  } catch (cause) {
    throw new SealBroken('a stored key does not open with CONTROL_PLANE_SECRET', { cause })
  }
}
