import { describe, expect, it } from 'vitest'

import { imageBytesOf, isShared } from '../../../../../agents/quota/loop-ext4/image-size.ts'

const MIB = 1024 * 1024

describe('the size of an image', () => {
  it.each([
    [0, 26],
    [128, 158],
    [2_048, 2_154],
    [51_200, 53_272],
  ])('for %d MiB of storage is %d MiB', (limitMiB, imageMiB) => {
    expect(imageBytesOf(limitMiB)).toBe(imageMiB * MIB)
  })
})

describe('mounts that containers see', () => {
  const ROOT = '25 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw'
  const PRIVATE = '30 25 8:2 / /srv/agent rw,relatime - ext4 /dev/sdb1 rw'
  const SLAVE = '31 25 8:2 / /srv/agent rw,relatime master:1 - ext4 /dev/sdb1 rw'
  const SHARED = '32 25 8:2 / /srv/agent rw,relatime master:1 shared:7 - ext4 /dev/sdb1 rw'
  it.each([
    ['below a shared mount', [ROOT], '/srv/agent', true],
    ['below a private one', [ROOT, PRIVATE], '/srv/agent/data', false],
    ['below one that only receives', [ROOT, SLAVE], '/srv/agent', false],
    ['below one that receives and shares', [ROOT, SLAVE, SHARED], '/srv/agent', true],
    ['beside a private one with a similar name', [ROOT, PRIVATE], '/srv/agents', true],
    ['without any mount', [''], '/srv/agent', false],
  ])('%s', (_case, lines, folder, expected) => {
    expect(isShared(lines.join('\n'), folder)).toBe(expected)
  })
})
