import type { Log } from '#platform/logger.ts'
import { ScanFailure, type VirusScanner } from '#platform/virus-scan/virus-scanner.ts'
import type { Metrics } from './metrics.ts'

/** The scanner, whose verdicts are counted, and told where a file is not clean. */
export const toldScans = (
  scanner: VirusScanner,
  { metrics, log }: { readonly metrics: Metrics; readonly log: Log },
): VirusScanner => ({
  scan: async (bytes) => {
    try {
      const verdict = await scanner.scan(bytes)
      metrics.virusScans.inc({ outcome: verdict.kind })
      if (verdict.kind !== 'clean') log.warn({ ...verdict, bytes: bytes.length }, 'the virus scanner refuses a file')
      return verdict
    } catch (error) {
      metrics.virusScans.inc({ outcome: 'failed' })
      const fault = error instanceof ScanFailure ? error.fault : String(error)
      log.warn({ fault, bytes: bytes.length }, 'a file was not scanned for viruses')
      throw error
    }
  },
})
