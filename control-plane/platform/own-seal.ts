import { deriveKey, seal, SealBroken, unseal } from '#platform/seal.ts'

/** Inputs of sealing with CONTROL_PLANE_SECRET: the control plane's own keys, and queued mails. */
type Sealing = { readonly secret: string; readonly label: string }

const keyOf = (secret: string) => deriveKey(secret, 'bakter control plane seal 1')

/** Seals bytes for the row named by `label`. `nonce` has 12 bytes and must never be reused. */
export const sealOwn = (plain: Uint8Array, { secret, label, nonce }: Sealing & { nonce: Uint8Array }): Buffer =>
  seal(plain, { key: keyOf(secret), label, nonce })

/** Opens bytes made by `sealOwn`; throws SealBroken when the secret, the label or a byte differs. */
export const openOwn = (sealed: Uint8Array, { secret, label }: Sealing): Buffer => {
  try {
    return unseal(sealed, { key: keyOf(secret), label })
  } catch (cause) {
    throw new SealBroken('A stored value does not open with CONTROL_PLANE_SECRET.', { cause })
  }
}
