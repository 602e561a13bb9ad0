import { describe, expect, test } from 'vitest'
import { canRunInContainers, imageReferenceOf, runnableImages } from '#contracts/agent/image-reference.ts'

const PINNED = `registry.example/game@sha256:${'a'.repeat(64)}`
const LOCAL = '~bakter/game:1'
const TAG = 'registry.example/game:latest'

test('an image is named by its digest or is on the node already; a tag is neither', () => {
  expect(imageReferenceOf(PINNED)).toMatchObject({ kind: 'pinned', name: 'registry.example/game' })
  expect(imageReferenceOf(LOCAL)).toEqual({ kind: 'local', reference: 'bakter/game:1' })
  expect(imageReferenceOf(TAG)).toBeUndefined()
  expect(runnableImages([TAG, PINNED, LOCAL])).toEqual([PINNED, LOCAL])
})

describe('a template runs in containers', () => {
  test.each([
    ['with an image that a node accepts', [TAG, PINNED], null, true],
    ['with an installation image that a node accepts', [LOCAL], PINNED, true],
    ['with an empty installation image', [LOCAL], '', true],
    ['not with tags alone', [TAG], null, false],
    ['not without an image', [], null, false],
    ['not with a tag as its installation image', [PINNED], TAG, false],
  ] as const)('%s', (_, images, installationImage, expected) => {
    expect(canRunInContainers({ images, installationImage })).toBe(expected)
  })
})
