import { deriveKey, seal, SealBroken, unseal } from '#platform/seal.ts'

/** What the control plane seals with CONTROL_PLANE_SECRET: its own keys, and mails on their way. */
type Sealing = { readonly secret: string; readonly label: string }

const keyOf = (secret: string) => deriveKey(secret, 'bakter control plane seal 1')

/** Seals bytes for one row, which `label` names. `nonce` has 12 bytes that were used for nothing else. */
export const sealOwn = (plain: Uint8Array, { secret, label, nonce }: Sealing & { nonce: Uint8Array }): Buffer =>
  seal(plain, { key: keyOf(secret), label, nonce })

/** Opens the bytes that `sealOwn` made; throws SealBroken when the secret, the label or a byte differs. */
export const openOwn = (sealed: Uint8Array, { secret, label }: Sealing): Buffer => {
  try {
    return unseal(sealed, { key: keyOf(secret), label })
  } catch (cause) {
    throw new SealBroken('A stored value does not open with CONTROL_PLANE_SECRET.', { cause })
  }
}
