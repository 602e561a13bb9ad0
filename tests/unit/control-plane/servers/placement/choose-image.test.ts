import { describe, expect, it } from 'vitest'
import { canRunInDocker, chooseImages } from '../../../../../control-plane/servers/placement/choose-image.ts'

const image = (letter: string) => `ghcr.io/bakter/java@sha256:${letter.repeat(64)}`
const list = (...images: string[]) => images.map((each, at) => ({ label: `Java ${at}`, image: each }))
const template = { docker_images: list(image('a'), '~bakter/java:21'), installation_image: null }

describe('case 115: the images of an order', () => {
  it('are the first of the list, and all of it for the node', () => {
    expect(chooseImages(template, { runtime: 'docker', wanted: undefined })).toEqual({
      ok: true,
      image: image('a'),
      installImage: null,
      images: [image('a'), '~bakter/java:21'],
    })
  })

  it('are what the customer chose of the list, with that of the installation', () => {
    const chosen = { ...template, installation_image: image('b') }
    expect(chooseImages(chosen, { runtime: 'docker', wanted: '~bakter/java:21' })).toEqual({
      ok: true,
      image: '~bakter/java:21',
      installImage: image('b'),
      images: [image('a'), '~bakter/java:21', image('b')],
    })
  })

  it.each(['docker', 'process'])('are never what the list does not name, on a node with %s', (runtime) => {
    for (const wanted of [image('c'), 'bakter/java:21', image('a').toUpperCase(), `${image('a')} `, '']) {
      expect(chooseImages(template, { runtime, wanted })).toEqual({ ok: false, code: 'IMAGE_NOT_LISTED' })
    }
  })

  it('are none where no container runs', () => {
    const none = { ok: true, image: null, installImage: null, images: [] }
    expect(chooseImages(template, { runtime: 'process', wanted: undefined })).toEqual(none)
  })

  it('leave out what an older list names by tag', () => {
    const old = { docker_images: list('ghcr.io/bakter/java:21', image('a')), installation_image: null }
    expect(chooseImages(old, { runtime: 'docker', wanted: undefined })).toMatchObject({ images: [image('a')] })
    expect(chooseImages(old, { runtime: 'docker', wanted: 'ghcr.io/bakter/java:21' })).toMatchObject({ ok: false })
  })

  it.each([
    ['one by digest', list(image('a')), null, true],
    ['none', [], null, false],
    ['only tags', list('ghcr.io/bakter/java:21'), null, false],
    ['an installation by tag', list(image('a')), 'ghcr.io/bakter/installer:debian', false],
  ])('say whether a template with %s runs in containers', (_what, images, installation, expected) => {
    const row = { docker_images: images, installation_image: installation }
    expect(canRunInDocker(row)).toBe(expected)
    if (images.length === 0 || !expected) return
    expect(chooseImages(row, { runtime: 'docker', wanted: undefined })).toMatchObject({ ok: true })
  })

  it('cannot be had of an empty list', () => {
    const empty = { docker_images: [], installation_image: null }
    expect(chooseImages(empty, { runtime: 'docker', wanted: undefined })).toEqual({ ok: false, code: 'NOT_ORDERABLE' })
  })
})
