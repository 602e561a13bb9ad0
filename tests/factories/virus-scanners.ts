import { ScanFailure, type ScanFault, type VirusScanner } from '#platform/virus-scan/virus-scanner.ts'
import { EICAR } from '../support/eicar.ts'

/** An installation without a scanner. */
export const noScanner: VirusScanner = { scan: () => Promise.resolve({ kind: 'clean' }) }

/** A scanner in memory that remembers what it was shown: it finds the test text, and nothing larger than `largest` is looked at. */
export class ScannerInMemory implements VirusScanner {
  readonly seen: Buffer[] = []
  /** The owners of the files, where they are known. */
  readonly accounts: (string | undefined)[] = []
  largest = Infinity
  /** Set: it gives no verdict. */
  fault: ScanFault | null = null

  scan(bytes: Uint8Array, account?: string): ReturnType<VirusScanner['scan']> {
    const file = Buffer.from(bytes)
    this.accounts.push(account)
    this.seen.push(file)
    if (this.fault !== null) return Promise.reject(new ScanFailure(this.fault))
    if (file.length > this.largest) return Promise.resolve({ kind: 'too-large' })
    return Promise.resolve(file.includes(EICAR) ? { kind: 'infected', name: 'Eicar' } : { kind: 'clean' })
  }
}
