import { describe, expect, it } from 'vitest'

import { hasHandedOver } from '../../../../../agents/runtime/docker/init-process.ts'

/** The kernel's record of the first process and its child, from the engine's starter to the program. */
const STEPS = [
  { init: 'runc\0init\0', child: undefined },
  { init: '', child: undefined },
  { init: '/sbin/docker-init\0', child: undefined },
  { init: '/sbin/docker-init\0', child: '/sbin/docker-init\0' },
  { init: '/sbin/docker-init\0', child: '' },
  { init: '/sbin/docker-init\0', child: '/usr/bin/node\0' },
]
const LAST = STEPS.length - 1

/** The files of `/proc`, where the nth file is read at the nth of the steps. */
const readAt = (steps: readonly number[]) => {
  let reads = 0
  return (file: string): string | undefined => {
    const step = STEPS[steps[reads] ?? LAST]
    reads += 1
    if (file.endsWith('/children')) return step?.child === undefined ? '' : '8 '
    return file === '/proc/7/cmdline' ? step?.init : step?.child
  }
}

const numbers = STEPS.map((_, index) => index)
const moments = numbers.flatMap((first) =>
  numbers.flatMap((second) =>
    numbers
      .filter((third) => first <= second && second <= third)
      .map((third) => ({ steps: [first, second, third], isThere: third === LAST })),
  ),
)

describe('the hand-over of the init process', () => {
  it('is never seen before the program is there, whenever each file is read', () => {
    const wrong = moments.filter(({ steps, isThere }) => hasHandedOver(7, readAt(steps)) === true && !isThere)
    expect(wrong).toEqual([])
    expect(hasHandedOver(7, readAt([LAST, LAST, LAST]))).toBe(true)
  })

  it('is not ruled out while the process lives, and unknown where the kernel does not tell', () => {
    for (const { steps } of moments) expect(hasHandedOver(7, readAt(steps))).toBeDefined()
    expect(hasHandedOver(7, () => undefined)).toBeUndefined()
  })
})
