import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ATTACHMENT_BOUNDS } from '#domain/tickets/attachment.ts'
import type { VirusScanner } from '#platform/virus-scan/virus-scanner.ts'
import { EICAR, zipOf } from '../support/eicar.ts'
import { promisedPng } from '../support/hostile-pictures.ts'

export type ScannerFixture = {
  readonly scanner: VirusScanner
  /** It looks at no file that is larger, in bytes. */
  readonly largest: number
  /** Ends what scans, and starts it again at its place. */
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
  readonly close: () => Promise<void>
}

const INFECTED = { kind: 'infected', name: expect.stringMatching(/eicar/i) }

/** The contract of every virus scanner. */
export function virusScannerSuite(name: string, open: () => Promise<ScannerFixture>): void {
  describe(`viruses by ${name}`, () => {
    let fixture: ScannerFixture
    beforeAll(async () => {
      fixture = await open()
    })
    afterAll(() => fixture.close())
    const scan = (bytes: Uint8Array | string) => fixture.scanner.scan(Buffer.from(bytes))

    it.each([
      ['a log', () => 'It stops'],
      ['one byte', () => 'x'],
      ['a picture', () => promisedPng(4, 4)],
      ['an archive', () => zipOf('world/level.dat', 'nothing harmful')],
      ['the largest attachment', () => Buffer.alloc(ATTACHMENT_BOUNDS.bytes, 'It stops\n')],
    ])('%s is clean', async (_what, made) => {
      expect(await scan(await made())).toEqual({ kind: 'clean' })
    })

    it.each([
      ['the test text', () => EICAR],
      ['the test text behind others', () => `A log\n${EICAR}`],
      ['the test text behind a picture', () => Buffer.concat([promisedPng(4, 4), Buffer.from(EICAR)])],
      ['an archive with it', () => zipOf('a/b.txt', EICAR)],
      ['an archive in an archive', async () => zipOf('inner.zip', await zipOf('b.txt', EICAR))],
    ])('%s is found', async (_what, made) => {
      expect(await scan(await made())).toEqual(INFECTED)
    })

    it('a file that is larger than it takes is never looked at', async () => {
      expect(await scan(Buffer.alloc(fixture.largest + 1, 'x'))).toEqual({ kind: 'too-large' })
    })

    it('many at once get each their own verdict', async () => {
      const verdicts = await Promise.all(
        Array.from({ length: 12 }, (_, at) => scan(at % 3 === 0 ? EICAR : `log ${at}`)),
      )
      expect(verdicts.map(({ kind }) => kind)).toEqual(
        Array.from({ length: 12 }, (_, at) => (at % 3 === 0 ? 'infected' : 'clean')),
      )
    })

    it('without it there is no verdict, and as soon as it is back there is one', async () => {
      await fixture.stop()
      await expect(scan('It stops')).rejects.toMatchObject({ name: 'ScanFailure', fault: 'UNREACHABLE' })
      await fixture.start()
      expect(await scan(EICAR)).toEqual(INFECTED)
    })
  })
}
