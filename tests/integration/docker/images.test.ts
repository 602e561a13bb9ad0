import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { systemClock } from '#platform/clock.ts'
import { systemTimers } from '../../../agents/platform/timers.ts'
import { DockerEngine, ENGINE_DEFAULTS } from '../../../agents/runtime/docker/engine.ts'
import { DockerImages } from '../../../agents/runtime/docker/images.ts'
import { startTestRegistry, type RegistryFault, type TestRegistry } from '../../emulators/registry/registry.ts'
import { makeRegistryImage } from '../../emulators/registry/test-image.ts'
import { startTestDockerDaemon, type TestDockerDaemon } from '../../support/docker-daemon.ts'
import { loadTestImage } from '../../support/docker-image.ts'

describe('the images of a real engine from a registry', () => {
  let daemon: TestDockerDaemon
  let registry: TestRegistry
  let images: DockerImages
  let lines: string[] = []
  let number = 0

  beforeAll(async () => {
    daemon = await startTestDockerDaemon({ args: ['--insecure-registry=198.18.0.0/15', '--max-download-attempts=1'] })
    registry = await startTestRegistry(daemon.namespace.outsideAddress)
    const engine = new DockerEngine({ ...ENGINE_DEFAULTS, socketPath: daemon.socketPath }, systemTimers)
    images = new DockerImages(
      { engine, clock: systemClock, timers: systemTimers, random: () => 0 },
      { attempts: 3, stallTimeoutMs: 12_000, internalRegistries: [registry.host] },
    )
  })
  afterAll(async () => {
    await registry.close()
    await daemon.remove()
  })
  afterEach(() => {
    registry.heal()
    lines = []
  })

  const newImage = (layers: readonly number[], volumes?: readonly string[]) => {
    number += 1
    const image = makeRegistryImage(layers, volumes)
    return { image, reference: registry.add(`games/game-${number}`, image) }
  }
  const prepare = (reference: string, listed = [reference]) =>
    images.prepare({ reference, listed }, (line) => lines.push(line))

  test('are pulled by digest, with progress, and only once', async () => {
    const { reference } = newImage([2_000_000, 500_000, 1_000], ['/data'])
    const prepared = await prepare(reference)
    expect(prepared).toEqual({ id: expect.stringMatching(/^sha256:/) as string, volumes: ['/data'] })
    expect(lines[0]).toBe(`Image: pulling ${reference}`)
    expect(lines.at(-1)).toMatch(/^Image: 3 of 3 layers, \d\.\d of \d\.\d MB, 100 %$/)
    const asked = registry.requests.length
    expect(await prepare(reference)).toEqual(prepared)
    expect(registry.requests).toHaveLength(asked)
  })

  test('are pulled once for all who need them at the same time', async () => {
    const { image, reference } = newImage([300_000])
    registry.fail('blob', 'slow', 1)
    const all = await Promise.all([prepare(reference), prepare(reference), prepare(reference)])
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    expect(registry.requests.filter((request) => request === `manifest ${image.digest}`)).toHaveLength(1)
  })

  // A download that breaks off the engine itself goes on with, where it stopped.
  test.each<['manifest' | 'blob', RegistryFault, number]>([
    ['manifest', 429, 1],
    ['manifest', 500, 1],
    ['blob', 500, 0],
    ['blob', 'cut', 0],
    ['blob', 'other-bytes', 1],
    ['blob', 'stuck', 1],
  ])('are pulled in the end when a %s once fails with %s, after %i retries', async (route, fault, times) => {
    const { reference } = newImage([200_000])
    registry.fail(route, fault, 1)
    expect(await prepare(reference)).toMatchObject({ id: expect.stringMatching(/^sha256:/) as string })
    expect(lines.filter((line) => /^Image: trying again in \d+ s$/.test(line))).toHaveLength(times)
  })

  test.each<['manifest' | 'blob', RegistryFault, number]>([
    ['manifest', 404, 1],
    ['manifest', 401, 1],
    ['manifest', 'other-bytes', 3],
    ['blob', 'other-bytes', 3],
  ])('are reported missing after a %s that always fails with %s, after %i requests', async (route, fault, times) => {
    const { image, reference } = newImage([200_000])
    registry.fail(route, fault)
    await expect(prepare(reference)).rejects.toMatchObject({ code: 'IMAGE_UNAVAILABLE', retryable: false })
    expect(lines.filter((line) => line.startsWith('Image: trying again'))).toHaveLength(times - 1)
    const left = await daemon.docker.listImages({ digests: true })
    expect(left.filter(({ RepoDigests }) => RepoDigests?.some((known) => known.endsWith(image.digest)))).toEqual([])
  })

  test('that are present by digest work while the registry is gone, those of another digest do not', async () => {
    const { reference } = newImage([1_000])
    const prepared = await prepare(reference)
    const asked = registry.requests.length
    registry.fail('manifest', 500)
    registry.fail('blob', 500)
    expect(await prepare(reference)).toEqual(prepared)
    expect(registry.requests).toHaveLength(asked)
    const [name = ''] = reference.split('@')
    const other = `${name}@sha256:${'0'.repeat(64)}`
    // The name is there under a tag, too, and must not be taken for the digest.
    await daemon.docker.getImage(prepared.id).tag({ repo: name, tag: 'latest' })
    await expect(prepare(other)).rejects.toMatchObject({ code: 'IMAGE_UNAVAILABLE' })
    // It was looked for, and only under its own digest.
    const requested = registry.requests.slice(asked)
    expect(new Set(requested)).toEqual(new Set([`manifest sha256:${'0'.repeat(64)}`]))
  })

  test('that are marked as local are never requested from a registry', async () => {
    const { name, id } = await loadTestImage(daemon.docker)
    const asked = registry.requests.length
    expect(await prepare(`~${name}`)).toEqual({ id, volumes: [] })
    await expect(prepare('~bakter/missing:1')).rejects.toMatchObject({
      code: 'IMAGE_UNAVAILABLE',
      message: 'The image bakter/missing:1 is marked as local, and it is not on this node.',
    })
    expect(registry.requests).toHaveLength(asked)
  })

  test('that could change are refused before any request', async () => {
    const { image, reference } = newImage([1_000])
    const [name = ''] = reference.split('@')
    const asked = registry.requests.length
    for (const refused of [name, `${name}:latest`, `127.0.0.1:1/x@${image.digest}`, 'file:///etc/passwd']) {
      await expect(prepare(refused)).rejects.toMatchObject({ code: 'IMAGE_REFUSED' })
    }
    expect(registry.requests).toHaveLength(asked)
  })

  test('that the template does not list are refused, also when the node has them', async () => {
    const { reference } = newImage([1_000])
    await prepare(reference)
    const asked = registry.requests.length
    for (const listed of [[], [`${reference}0`], [newImage([1_000]).reference]]) {
      await expect(prepare(reference, listed)).rejects.toMatchObject({
        code: 'IMAGE_REFUSED',
        message: "The image is not in the template's list.",
      })
    }
    expect(registry.requests).toHaveLength(asked)
  })

  test('are unavailable from an engine that hangs', async () => {
    const { reference } = newImage([1_000])
    const engine = new DockerEngine({ ...ENGINE_DEFAULTS, socketPath: daemon.socketPath, timeoutMs: 500 }, systemTimers)
    const impatient = new DockerImages(
      { engine, clock: systemClock, timers: systemTimers, random: () => 0 },
      { internalRegistries: [registry.host] },
    )
    await daemon.freeze()
    try {
      await expect(impatient.prepare({ reference, listed: [reference] }, () => {})).rejects.toMatchObject({
        code: 'RUNTIME_UNREACHABLE',
        retryable: true,
      })
    } finally {
      daemon.thaw()
    }
  })
})
