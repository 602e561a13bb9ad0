import type { Log } from '../logger.ts'
import { ScanFailure, type ScanVerdict, type VirusScanner } from './virus-scanner.ts'

/** The scanner; what it finds, and that it gives no verdict, is told in the log of the program. `count` hears of every outcome. */
export const toldScans = (
  scanner: VirusScanner,
  { log, count = () => {} }: { readonly log: Log; readonly count?: (outcome: ScanVerdict['kind'] | 'failed') => void },
): VirusScanner => ({
  scan: async (bytes, account) => {
    try {
      const verdict = await scanner.scan(bytes, account)
      count(verdict.kind)
      if (verdict.kind !== 'clean') log.warn({ ...verdict, bytes: bytes.length }, 'the virus scanner refuses a file')
      return verdict
    } catch (error) {
      count('failed')
      const fault = error instanceof ScanFailure ? error.fault : String(error)
      log.warn({ fault, bytes: bytes.length }, 'a file was not scanned for viruses')
      throw error
    }
  },
})
