/** Algorithms of SSH keys that people may add, by their name on the wire. */
export const SSH_ALGORITHMS = ['ssh-ed25519', 'ssh-rsa'] as const
export type SshAlgorithm = (typeof SSH_ALGORITHMS)[number]

/** A public key as a person pastes it: `<algorithm> <base64> <comment>`, one line of a `.pub` file. */
export type SshKey = {
  readonly algorithm: SshAlgorithm
  /** RFC 4253, section 6.6, in base64 without line breaks. */
  readonly publicKey: string
  /** The rest of the line, often `person@machine`. */
  readonly comment: string
}

const ED25519_BYTES = 32
/** NIST SP 800-57: shorter ones are no longer enough. */
const MIN_RSA_BITS = 2_048
const MAX_RSA_BITS = 16_384
const LENGTH_BYTES = 4

const isAlgorithm = (name: string): name is SshAlgorithm => (SSH_ALGORITHMS as readonly string[]).includes(name)

/** The strings of a key on the wire, each behind its length; undefined where a length does not fit. */
const stringsOf = (bytes: Uint8Array): readonly Uint8Array[] | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const strings: Uint8Array[] = []
  for (let at = 0; at < bytes.length;) {
    if (at + LENGTH_BYTES > bytes.length) return undefined
    const end = at + LENGTH_BYTES + view.getUint32(at)
    if (end > bytes.length) return undefined
    strings.push(bytes.subarray(at + LENGTH_BYTES, end))
    at = end
  }
  return strings
}

const bitsOf = (modulus: Uint8Array): number => {
  const first = modulus.findIndex((byte) => byte !== 0)
  return first < 0 ? 0 : (modulus.length - first - 1) * 8 + (32 - Math.clz32(modulus[first] ?? 0))
}

const isWhole = (algorithm: SshAlgorithm, bytes: Uint8Array): boolean => {
  const [name, ...parts] = stringsOf(bytes) ?? []
  if (name === undefined || new TextDecoder().decode(name) !== algorithm) return false
  if (algorithm === 'ssh-ed25519') return parts.length === 1 && parts[0]?.length === ED25519_BYTES
  const bits = bitsOf(parts[1] ?? new Uint8Array())
  return parts.length === 2 && bits >= MIN_RSA_BITS && bits <= MAX_RSA_BITS
}

const decoded = (base64: string): Uint8Array | undefined => {
  try {
    return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** Reads a public key; undefined for everything else, a private key and an algorithm that is not taken included. */
export const readSshKey = (text: string): SshKey | undefined => {
  const [, algorithm = '', publicKey = '', comment = ''] =
    /^\s*(\S+)[ \t]+([A-Za-z0-9+/]+={0,2})(?:[ \t]+([^\r\n]*))?\s*$/.exec(text) ?? []
  const bytes = isAlgorithm(algorithm) ? decoded(publicKey) : undefined
  if (!isAlgorithm(algorithm) || bytes === undefined || !isWhole(algorithm, bytes)) return undefined
  return { algorithm, publicKey, comment: comment.trim() }
}
