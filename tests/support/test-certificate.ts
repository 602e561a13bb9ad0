import { execFileSync } from 'node:child_process'
import path from 'node:path'

export interface TestCertificate {
  readonly certificate: string
  readonly key: string
}

/** A self-signed certificate for 127.0.0.1 and localhost; writing to the same names again is a renewal. */
export const writeCertificate = (folder: string, options: { name: string; days: number }): TestCertificate => {
  const files = { certificate: path.join(folder, 'node.crt'), key: path.join(folder, 'node.key') }
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-sha256']
  const subject = ['-subj', `/CN=${options.name}`, '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const rest = ['-days', String(options.days), '-keyout', files.key, '-out', files.certificate]
  execFileSync('openssl', [...args, ...subject, ...rest], { stdio: 'ignore' })
  return files
}
