import { createHash } from 'node:crypto'
import ssh2 from 'ssh2'
import type { Disk } from '../platform/disk.ts'

export interface HostKey {
  /** In OpenSSH's format. */
  readonly privateKey: string
  /** As `ssh-keygen -lf` and every client show it: `SHA256:…`. */
  readonly fingerprint: string
}

const generateEd25519 = (): string => ssh2.utils.generateKeyPairSync('ed25519', { comment: 'bakter' }).private

/**
 * The node's Ed25519 key for SFTP, made once and kept, because clients remember it. Throws for a damaged file.
 *
 * The library cuts the zeros at the beginning of a public key, so that it cannot read one of 256 keys that it generates
 * (mscdex/ssh2 issue 1390): those are thrown away before anybody has seen them.
 */
export const openHostKey = (disk: Disk, file: string, generate = generateEd25519): HostKey => {
  let privateKey = disk.read(file)
  if (privateKey === undefined) {
    do privateKey = generate()
    while (ssh2.utils.parseKey(privateKey) instanceof Error)
    disk.writeAtomically(file, privateKey)
  }
  const key = ssh2.utils.parseKey(privateKey)
  if (key instanceof Error) {
    throw new Error(
      `The SFTP host key ${file} cannot be read (${key.message}). Restore it, or delete it to get a new one.`,
    )
  }
  return { privateKey, fingerprint: fingerprintOf(key.getPublicSSH()) }
}

/** The fingerprint of a public key in the form of the SSH wire. */
export const fingerprintOf = (publicKey: Buffer): string =>
  `SHA256:${createHash('sha256').update(publicKey).digest('base64').replace(/=+$/, '')}`
