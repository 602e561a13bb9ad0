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
  /** PKCS #8 in PEM format. */
  key: z.string().refine(isAccountKey),
  /** Null until the authority has responded. */
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
  /** The settings of the attempts: changed ones are tried at once. */
  settings: z.string(),
  failures: z.number().int().min(1),
  /** When the last attempt began. */
  atMs: z.number(),
  /** The authority's Retry-After. */
  retryAtMs: z.number().nullable(),
  reason: z.string(),
})
export type StoredAttempts = Omit<z.infer<typeof AttemptsFile>, 'version'>

/**
 * The stored ACME state in the agent's folder: the account's key, the certificate with its key in one file, so that
 * neither exists without the other, and the number of failures. Mode 0600, atomic. A damaged file counts as missing.
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

  /** An account belongs to one authority: one of another directory is ignored. */
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

  /** Parsers' errors quote their input, which may be a key, so they are dropped. */
  #read<T>(name: string, schema: z.ZodType<T>): T | undefined {
    try {
      const text = this.#disk.read(`${this.#folder}/${name}`)
      if (text === undefined) return undefined
      const { data } = schema.safeParse(JSON.parse(text))
      if (data !== undefined) return data
    } catch {
      // Falls through: unparsable content counts as damaged too.
    }
    this.#log.warn({ file: `acme/${name}` }, 'a file of ACME is damaged; it is made anew')
    return undefined
  }

  #write(name: string, value: object): void {
    this.#disk.writeAtomically(`${this.#folder}/${name}`, JSON.stringify({ version: 1, ...value }))
  }
}
