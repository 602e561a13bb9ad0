import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const CONFIG = `
[ca]
default_ca = authority
[authority]
dir = .
database = ./index.txt
new_certs_dir = .
serial = ./serial
rand_serial = yes
certificate = ./ca.crt
private_key = ./ca.key
default_md = sha256
policy = anything
unique_subject = no
copy_extensions = none
[anything]
commonName = optional
[req]
distinguished_name = none
[none]
[leaf]
basicConstraints = critical, CA:FALSE
subjectAltName = \${ENV::LEAF_NAMES}
authorityKeyIdentifier = keyid
extendedKeyUsage = serverAuth
`

/** Validity of a certificate in milliseconds since 1970; openssl stores whole seconds. */
export interface Life {
  readonly startsAtMs: number
  readonly endsAtMs: number
}

const dateOf = (ms: number): string =>
  `${new Date(ms)
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replace(/[-:T]/g, '')}Z`

/**
 * A certification authority of the test, built on openssl: it verifies the request's signature and names with other
 * code than that which created the request.
 */
export class Authority {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'bakter-authority-'))

  constructor() {
    writeFileSync(path.join(this.#folder, 'openssl.cnf'), CONFIG)
    writeFileSync(path.join(this.#folder, 'index.txt'), '')
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'ca.key']
    this.#openssl(['req', '-x509', ...key, '-sha256', '-days', '3650', '-subj', '/CN=Test authority', '-out', 'ca.crt'])
  }

  /** Its own certificate in PEM form: a client that trusts it trusts everything it signs. */
  get certificate(): string {
    return readFileSync(path.join(this.#folder, 'ca.crt'), 'utf8')
  }

  /** DNS names of a request in DER; throws when its signature is wrong. */
  namesOf(request: Buffer): string[] {
    writeFileSync(path.join(this.#folder, 'request.der'), request)
    const text = this.#openssl(['req', '-inform', 'DER', '-in', 'request.der', '-verify', '-noout', '-text'])
    if (!text.includes('verify OK')) throw new Error("The request's signature is wrong.")
    const [, line = ''] = /X509v3 Subject Alternative Name:.*\n(.*)\n/.exec(text) ?? []
    return line
      .split(',')
      .map((part) => part.trim())
      .flatMap((part) => (part.startsWith('DNS:') ? [part.slice(4)] : []))
  }

  /** The chain of a new certificate in PEM form, the leaf first. */
  sign(request: Buffer, names: readonly string[], life: Life): string {
    writeFileSync(path.join(this.#folder, 'request.der'), request)
    this.#openssl(['req', '-inform', 'DER', '-in', 'request.der', '-out', 'request.pem'])
    const dates = ['-startdate', dateOf(life.startsAtMs), '-enddate', dateOf(life.endsAtMs)]
    const files = ['-in', 'request.pem', '-out', 'leaf.pem', '-notext', '-batch', '-extensions', 'leaf']
    this.#openssl(['ca', '-config', 'openssl.cnf', '-subj', `/CN=${names[0] ?? ''}`, ...dates, ...files], {
      LEAF_NAMES: names.map((name) => `DNS:${name}`).join(','),
    })
    return `${readFileSync(path.join(this.#folder, 'leaf.pem'), 'utf8')}${this.certificate}`
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #openssl(args: readonly string[], env: Record<string, string> = {}): string {
    const environment: object = { PATH: process.env['PATH'] ?? '', LEAF_NAMES: 'DNS:unused', ...env }
    const { status, stdout, stderr } = spawnSync('openssl', args, {
      cwd: this.#folder,
      encoding: 'utf8',
      env: environment as NodeJS.ProcessEnv,
    })
    if (status !== 0) throw new Error(`openssl ${args[0] ?? ''} failed: ${stderr}`)
    return `${stdout}${stderr}`
  }
}
