import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const sha256 = (content: Buffer): string => `sha256:${createHash('sha256').update(content).digest('hex')}`

export interface RegistryImage {
  readonly manifest: Buffer
  readonly digest: string
  /** Configuration and layers by their digest. */
  readonly blobs: ReadonlyMap<string, Buffer>
}

function tarOf(name: string, bytes: number): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'bakter-layer-'))
  try {
    mkdirSync(join(folder, 'content'))
    writeFileSync(join(folder, 'content', name), randomBytes(bytes))
    return execFileSync('tar', ['--create', '--directory', folder, 'content'], { maxBuffer: 1 << 28 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** An image of as many layers as sizes are given, each with a file of that many random bytes. */
export function makeRegistryImage(layerBytes: readonly number[], volumes: readonly string[] = []): RegistryImage {
  const layers = layerBytes.map((bytes, index) => tarOf(`layer-${index}`, bytes))
  const config = Buffer.from(
    JSON.stringify({
      architecture: process.arch === 'x64' ? 'amd64' : process.arch,
      os: 'linux',
      config: { Cmd: ['/content/layer-0'], Volumes: Object.fromEntries(volumes.map((path) => [path, {}])) },
      rootfs: { type: 'layers', diff_ids: layers.map(sha256) },
      history: layers.map(() => ({ created: '2026-01-01T00:00:00Z' })),
    }),
  )
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: 'application/vnd.docker.distribution.manifest.v2+json',
      config: {
        mediaType: 'application/vnd.docker.container.image.v1+json',
        size: config.length,
        digest: sha256(config),
      },
      layers: layers.map((layer) => ({
        mediaType: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
        size: layer.length,
        digest: sha256(layer),
      })),
    }),
  )
  return { manifest, digest: sha256(manifest), blobs: new Map([config, ...layers].map((blob) => [sha256(blob), blob])) }
}
