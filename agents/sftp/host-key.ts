import { createHash } from 'node:crypto'
import ssh2 from 'ssh2'
import type { Disk } from '../platform/disk.ts'

export interface HostKey {
  /** In OpenSSH's format. */
  readonly privateKey: string
  /** As `ssh-keygen -lf` and every client show it: `SHA256:…`. */
  readonly fingerprint: string
}

/** The node's Ed25519 key for SFTP, made once and kept, because clients remember it. Throws for a damaged file. */
export const openHostKey = (disk: Disk, file: string): HostKey => {
  let privateKey = disk.read(file)
  if (privateKey === undefined) {
    privateKey = ssh2.utils.generateKeyPairSync('ed25519', { comment: 'bakter' }).private
    disk.writeAtomically(file, privateKey)
  }
  const key = ssh2.utils.parseKey(privateKey)
  if (key instanceof Error) throw new Error(`The SFTP host key ${file} cannot be read: ${key.message}`)
  return { privateKey, fingerprint: fingerprintOf(key.getPublicSSH()) }
}

/** The fingerprint of a public key in the form of the SSH wire. */
export const fingerprintOf = (publicKey: Buffer): string =>
  `SHA256:${createHash('sha256').update(publicKey).digest('base64').replace(/=+$/, '')}`
