/** A scanner's verdict on the bytes of a file. `too-large`: it looks at no file of this size, now or later. */
export type ScanVerdict =
  { readonly kind: 'clean' } | { readonly kind: 'infected'; readonly name: string } | { readonly kind: 'too-large' }

/** Why there is no verdict now. Its words contain nothing of the peer. */
export type ScanFault = 'BUSY' | 'UNREACHABLE' | 'LATE' | 'CUT' | 'ANSWER'

/** A file could not be scanned now: it may work later. */
export class ScanFailure extends Error {
  override name = 'ScanFailure'
  readonly fault: ScanFault

  constructor(fault: ScanFault, cause?: unknown) {
    super(`a file was not scanned: ${fault}`, { cause })
    this.fault = fault
  }
}

/** Looks for viruses in files before anybody can download them (decision 102). */
export interface VirusScanner {
  /** Rejects with ScanFailure when the scanner gives no verdict in time. `account` is whoever uploads the file. */
  scan(bytes: Uint8Array, account?: string): Promise<ScanVerdict>
}
