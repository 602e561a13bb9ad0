import { createPrivateKey } from 'node:crypto'
import * as z from 'zod'
import type { Disk } from '../platform/disk.ts'
import type { Log } from '#platform/logger.ts'

const isAccountKey = (pem: string): boolean => {
  try {
    return createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}

const AccountFile = z.object({
  version: z.literal(1),
  directory: z.string(),
  /** PKCS #8 in PEM form. */
  key: z.string().refine(isAccountKey),
  /** Null until the authority has answered. */
  url: z.url().nullable(),
})
export type StoredAccount = Omit<z.infer<typeof AccountFile>, 'version'>

const CertificateFile = z.object({
  version: z.literal(1),
  directory: z.string(),
  obtainedAtMs: z.number(),
  cert: z.string(),
  key: z.string(),
})
export type StoredCertificate = Omit<z.infer<typeof CertificateFile>, 'version'>

const AttemptsFile = z.object({
  version: z.literal(1),
  /** With which settings: other ones are tried at once. */
  settings: z.string(),
  failures: z.number().int().min(1),
  /** When the last one began. */
  atMs: z.number(),
  /** What the authority asked for by Retry-After. */
  retryAtMs: z.number().nullable(),
  reason: z.string(),
})
export type StoredAttempts = Omit<z.infer<typeof AttemptsFile>, 'version'>

/**
 * What ACME keeps in the agent's folder: the account's key, the certificate with its key in one file, so that neither is
 * ever there without the other, and how often it failed. Mode 0600, atomic. A damaged file counts as none.
 */
export class AcmeStore {
  readonly #disk: Disk
  readonly #folder: string
  readonly #log: Log

  constructor(disk: Disk, dataFolder: string, log: Log) {
    this.#disk = disk
    this.#folder = `${dataFolder}/acme`
    this.#log = log
    disk.makeFolder(this.#folder, 0o700)
  }

  /** An account belongs to one authority: that of another directory is none here. */
  account(directory: string): StoredAccount | undefined {
    const account = this.#read('account.json', AccountFile)
    return account?.directory === directory ? account : undefined
  }

  writeAccount(account: StoredAccount): void {
    this.#write('account.json', account)
  }

  forgetAccount(): void {
    this.#disk.remove(`${this.#folder}/account.json`)
  }

  certificate(): StoredCertificate | undefined {
    return this.#read('certificate.json', CertificateFile)
  }

  writeCertificate(certificate: StoredCertificate): void {
    this.#write('certificate.json', certificate)
  }

  attempts(settings: string): StoredAttempts | undefined {
    const attempts = this.#read('attempts.json', AttemptsFile)
    return attempts?.settings === settings ? attempts : undefined
  }

  writeAttempts(attempts: StoredAttempts): void {
    this.#write('attempts.json', attempts)
  }

  forgetAttempts(): void {
    this.#disk.remove(`${this.#folder}/attempts.json`)
  }

  /** The errors of the parsers quote what they read, which may be a key: they are not told. */
  #read<T>(name: string, schema: z.ZodType<T>): T | undefined {
    try {
      const text = this.#disk.read(`${this.#folder}/${name}`)
      if (text === undefined) return undefined
      const { data } = schema.safeParse(JSON.parse(text))
      if (data !== undefined) return data
    } catch {
      // Falls through: what cannot be parsed is as damaged as what does not fit.
    }
    this.#log.warn({ file: `acme/${name}` }, 'a file of ACME is damaged; it is made anew')
    return undefined
  }

  #write(name: string, value: object): void {
    this.#disk.writeAtomically(`${this.#folder}/${name}`, JSON.stringify({ version: 1, ...value }))
  }
}
