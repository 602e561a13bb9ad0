import { beforeEach, describe, expect, it } from 'vitest'

import { systemIds } from '#platform/ids.ts'
import { START, STORED_BLOCK_BYTES, storedOffset } from '../../../../agents/archive/stored-gzip.ts'
import { ArchiveResumes } from '../../../../agents/http/archive-resumes.ts'
import type { ArchiveTokenClaims } from '../../../../src/contracts/panel/token.ts'
import { ManualClock } from '../../../setup/manual-clock.ts'

const RESUME_MS = 60_000
const MIB_BLOCKS = 16
const claimsOf = (sub: string) => ({ sub }) as ArchiveTokenClaims
const plan = { bytes: 1e12, mark: 'mark' }

let clock: ManualClock
let resumes: ArchiveResumes
beforeEach(() => {
  clock = new ManualClock()
  resumes = new ArchiveResumes({ clock, ids: systemIds }, RESUME_MS)
})
const headersOf = (etag: string, range = 'bytes=7-') => ({ range, 'if-range': etag })

describe('a download that began', () => {
  it('is found by its token and ETag together, from the byte that is asked for', () => {
    const begun = resumes.begin('token', claimsOf('anna'), plan)
    expect(resumes.find('token', headersOf(begun.etag))).toEqual({ begun, start: 7 })
    expect(resumes.find('other', headersOf(begun.etag))).toBeUndefined()
    expect(resumes.find('token', headersOf('"mark-x"'))).toBeUndefined()
    expect(resumes.find('token', { range: 'bytes=7-' })).toBeUndefined()
    expect(resumes.find('token', { 'if-range': begun.etag })).toBeUndefined()
  })

  it.each(['bytes=-7', 'bytes=1-2', 'bytes=1-,5-', 'bytes=a-', 'lines=1-'])(
    'is not continued by the range %s',
    (range) => {
      const { etag } = resumes.begin('token', claimsOf('anna'), plan)
      expect(resumes.find('token', headersOf(etag, range))).toBeUndefined()
    },
  )

  it('is forgotten after its time, at its end and when it is revoked', () => {
    const begin = (token: string, sub: string) => resumes.begin(token, claimsOf(sub), plan).etag
    const [ended, revoked, kept] = [begin('ended', 'anna'), begin('revoked', 'bela'), begin('kept', 'anna')]
    resumes.end('ended')
    resumes.forget(({ sub }) => sub === 'bela')
    expect(resumes.find('ended', headersOf(ended))).toBeUndefined()
    expect(resumes.find('revoked', headersOf(revoked))).toBeUndefined()
    expect(resumes.find('kept', headersOf(kept))).toBeDefined()
    clock.set(clock.now() + RESUME_MS)
    expect(resumes.find('kept', headersOf(kept))).toBeUndefined()
  })

  it('has a secret of its own each time', () => {
    expect(resumes.begin('one', claimsOf('anna'), plan).etag).not.toBe(
      resumes.begin('two', claimsOf('anna'), plan).etag,
    )
  })

  it('goes on at the last mebibyte before the byte, as far back as 256 of them', () => {
    const begun = resumes.begin('token', claimsOf('anna'), plan)
    const at = (mib: number) => ({ offset: mib * MIB_BLOCKS * STORED_BLOCK_BYTES, crc: mib })
    expect(begun.before(100)).toEqual(START)
    for (let mib = 1; mib <= 300; mib += 1) begun.passed(at(mib))
    begun.passed({ offset: at(300).offset + STORED_BLOCK_BYTES, crc: 0 })
    expect(begun.before(storedOffset(at(200)) + 5)).toEqual(at(200))
    expect(begun.before(storedOffset(at(201)) - 1)).toEqual(at(200))
    expect(begun.before(storedOffset(at(400)))).toEqual(at(300))
    expect(begun.before(storedOffset(at(10)))).toBeUndefined()
  })
})
