import { describe, expect, it } from 'vitest'

import type { Quotas } from '../../../../agents/quota/catalog.ts'
import { exceededStorage, excessParams, isStorageExceeded } from '../../../../agents/quota/exceeded-storage.ts'
import type { QuotaDriver, StorageUse } from '../../../../agents/quota/quota-driver.ts'

const MIB = 1024 * 1024
const limitBytes = 1_000 * MIB

describe('storage is exceeded', () => {
  it.each([
    ['nothing is measured yet', 0, 0, limitBytes, false],
    ['full', 1_000 * MIB, 0, limitBytes, false],
    ['a byte less than 110 %', 1_100 * MIB - 1, 0, limitBytes, false],
    ['110 %', 1_100 * MIB, 0, limitBytes, true],
    ['110 % with the bin', 1_000 * MIB, 100 * MIB, limitBytes, true],
    ['a server without a limit', 5_000 * MIB, 0, 0, false],
  ])('%s', (_case, bytes, binBytes, limit, isExceeded) => {
    expect(isStorageExceeded({ bytes, binBytes, limitBytes: limit })).toBe(isExceeded)
  })
})

describe('before a start', () => {
  const layout = { root: 'root', files: 'files', image: null }
  const use = (usedMiB: number): StorageUse => ({ bytes: usedMiB * MIB, ownBytes: 0, measurement: 1 })
  /** A driver that measured one thing before and finds another one now. */
  const ask = async (before: number, present: number, bindsGame = false) => {
    let walks = 0
    const driver: Pick<QuotaDriver, 'bindsGame' | 'usageOf' | 'measure'> = {
      bindsGame,
      usageOf: () => use(before),
      measure: () => {
        walks += 1
        return Promise.resolve(use(present))
      },
    }
    const quotas = { of: () => driver } as unknown as Quotas
    return { excess: await exceededStorage({ layout, limitMiB: 1_000 }, quotas), walks }
  }

  it('files that were too much are measured anew, and are too much only if they still are', async () => {
    expect(await ask(1_200, 1_150)).toEqual({
      excess: { bytes: 1_150 * MIB, binBytes: 0, limitBytes: 1_000 * MIB },
      walks: 1,
    })
    expect(await ask(1_200, 900)).toEqual({ excess: undefined, walks: 1 })
  })

  it('files that were not too much are not measured: the start does not wait for them', async () => {
    expect(await ask(1_099, 5_000)).toEqual({ excess: undefined, walks: 0 })
  })

  it('a disk that refuses by itself is not asked', async () => {
    expect(await ask(1_200, 1_200, true)).toEqual({ excess: undefined, walks: 0 })
  })

  it('the sentence names whole MiB, the used ones rounded up', () => {
    expect(excessParams({ bytes: 1_100 * MIB + 1, binBytes: 0, limitBytes })).toEqual({
      usedMiB: 1_101,
      limitMiB: 1_000,
    })
  })
})
