import { describe, expect, it } from 'vitest'

import { allowImage, referenceOf, registryOf } from '../../../../../agents/runtime/docker/image-reference.ts'

const DIGEST = `sha256:${'a'.repeat(64)}`
const OTHER = `sha256:${'b'.repeat(64)}`
const PINNED = `ghcr.io/bakter/java@${DIGEST}`
const LOCAL = '~bakter/game:1.0'

describe('case 115: which image a server may run', () => {
  it('one that the list names by digest', () => {
    const verdict = allowImage(PINNED, [LOCAL, PINNED])
    expect(verdict).toEqual({ ok: true, image: { kind: 'pinned', name: 'ghcr.io/bakter/java', digest: DIGEST } })
    if (verdict.ok) expect(referenceOf(verdict.image)).toBe(PINNED)
  })

  it('one that the list marks as local', () => {
    const verdict = allowImage(LOCAL, [LOCAL, PINNED])
    expect(verdict).toEqual({ ok: true, image: { kind: 'local', reference: 'bakter/game:1.0' } })
    if (verdict.ok) expect(referenceOf(verdict.image)).toBe('bakter/game:1.0')
  })

  it.each([
    ['another registry', `evil.example/bakter/java@${DIGEST}`],
    ['another digest', `ghcr.io/bakter/java@${OTHER}`],
    ['another name', `ghcr.io/bakter/jav@${DIGEST}`],
    ['a second @', `${PINNED}@${OTHER}`],
    ['the name alone', 'ghcr.io/bakter/java'],
    ['latest instead of the digest', 'ghcr.io/bakter/java:latest'],
    ['a tag in front of the digest', `ghcr.io/bakter/java:latest@${DIGEST}`],
    ['upper case', PINNED.toUpperCase()],
    ['an upper-case digest', `ghcr.io/bakter/java@sha256:${'A'.repeat(64)}`],
    ['a blank at the end', `${PINNED} `],
    ['a line break', `${PINNED}\n`],
    ['a file', 'file:///etc/passwd'],
    ['nothing', ''],
    ['the local one without its mark', 'bakter/game:1.0'],
    ['the local one with another tag', '~bakter/game:latest'],
    ["an internal name of the node's engine", '~sha256:abc'],
  ])('not %s', (_what, wanted) => {
    expect(allowImage(wanted, [PINNED, LOCAL])).toMatchObject({ ok: false, code: 'IMAGE_NOT_LISTED' })
  })

  it.each([
    'ghcr.io/bakter/java',
    'ghcr.io/bakter/java:latest',
    'ghcr.io/bakter/java:21',
    `ghcr.io/bakter/java:21@${DIGEST}`,
    `ghcr.io/bakter/java@sha256:${'A'.repeat(64)}`,
    `ghcr.io/bakter/java@sha256:${'a'.repeat(63)}`,
    `ghcr.io/bakter/java@sha512:${'a'.repeat(64)}`,
    `ghcr.io/Bakter/java@${DIGEST}`,
    `https://ghcr.io/bakter/java@${DIGEST}`,
    `ghcr.io/bakter/../java@${DIGEST}`,
    `ghcr.io//java@${DIGEST}`,
    `user@ghcr.io/bakter/java@${DIGEST}`,
    `-ghcr.io/java@${DIGEST}`,
    `${PINNED}\n`,
    'file:///srv/image.tar',
    DIGEST,
    `@${DIGEST}`,
    '~bakter/game',
    '~~bakter/game:1',
    `~bakter/game@${DIGEST}`,
    '~registry.example/bakter/Game:1',
    `ghcr.io/${'a'.repeat(400)}@${DIGEST}`,
  ])('and a list that names %s names nothing', (listed) => {
    expect(allowImage(listed, [listed])).toMatchObject({ ok: false, code: 'IMAGE_NOT_PINNED' })
  })

  it.each([
    'localhost/x',
    'localhost:5000/x',
    '127.0.0.1:5000/x',
    '10.0.0.5:5000/x',
    'registry:5000/x',
    'hub.internal/x',
    'nas.local/x',
  ])('nor one that would ask %s', (name) => {
    const listed = `${name}@${DIGEST}`
    expect(allowImage(listed, [listed])).toMatchObject({ ok: false, code: 'IMAGE_REGISTRY_REFUSED' })
    expect(allowImage(listed, [listed], [registryOf(name)])).toMatchObject({ ok: true })
  })

  it.each([
    ['redis', 'docker.io'],
    ['library/redis', 'docker.io'],
    ['ghcr.io/a/b', 'ghcr.io'],
    ['localhost/a', 'localhost'],
    ['host:5000/a', 'host:5000'],
  ])('%s is asked of %s', (name, registry) => {
    expect(registryOf(name)).toBe(registry)
  })
})
