import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chownSync,
  copyFileSync,
  cpSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'

import type Docker from 'dockerode'
import { build } from 'esbuild'

import { npmCommand } from '../../agents/platform/bundles.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const CACHE = join(root, '.build', 'docker-image')

/** The user that the image runs as unless the container says otherwise. */
export const IMAGE_UID = 988

/** The parts of the image besides Node, npm and busybox: `argv` of the small game server and of its installation. */
export const IMAGE_GAME = ['/usr/bin/node', '/game/test-game.mjs'] as const
export const IMAGE_GAME_INSTALL = ['/usr/bin/node', '/game/test-game-install.mjs'] as const

const GAME_SOURCES = ['test-game', 'test-game-install'].map((name) => join(root, `agents/servers/programs/${name}.ts`))
const PASSWD = `root:x:0:0:root:/:/bin/sh\ncontainer:x:${IMAGE_UID}:${IMAGE_UID}:container:/home/container:/bin/sh\n`
const GROUP = `root:x:0:\ncontainer:x:${IMAGE_UID}:\n`
const CHANGES = [
  `USER ${IMAGE_UID}:${IMAGE_UID}`,
  'WORKDIR /home/container',
  'ENV HOME=/home/container',
  'ENV PATH=/usr/bin:/bin',
  'CMD ["/usr/bin/node"]',
]

/** `ldd` says "libm.so.6 => /lib/x/libm.so.6 (0x..)" and "/lib64/ld-linux.. (0x..)". */
const librariesOf = (program: string): string[] =>
  execFileSync('ldd', [program], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .split('\n')
    .flatMap((line) => /(?:=> )?(\/\S+) \(0x/.exec(line)?.[1] ?? [])

/** A statically linked busybox, from Debian's package busybox-static. */
function staticBusybox(): string | undefined {
  return ['/bin/busybox', '/usr/bin/busybox'].find((path) => {
    if (!existsSync(path)) return false
    try {
      return librariesOf(path).length === 0
    } catch {
      // ldd ends with 1 for a program that is not dynamic.
      return true
    }
  })
}

/** Folder of the npm that came with this machine's Node. */
const npmFolder = (): string => {
  const [, cli] = npmCommand()
  if (cli === undefined) throw new Error('This Node came without npm, so no image can be made of it.')
  return join(dirname(cli), '..')
}

function contentHash(busybox: string | undefined): string {
  const hash = createHash('sha256').update(readFileSync(join(npmFolder(), 'package.json')))
  const files = [fileURLToPath(import.meta.url), process.execPath, ...GAME_SOURCES, ...(busybox ? [busybox] : [])]
  for (const file of files) hash.update(file).update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

async function writeRoot(folder: string, busybox: string | undefined): Promise<void> {
  const at = (path: string): string => join(folder, path)
  for (const path of ['proc', 'sys', 'dev', 'etc', 'run', 'tmp', 'bin', 'usr/bin', 'home/container']) {
    mkdirSync(at(path), { recursive: true })
  }
  chownSync(at('home/container'), IMAGE_UID, IMAGE_UID)
  const copy = (from: string, to = from): void => {
    mkdirSync(dirname(at(to)), { recursive: true })
    copyFileSync(realpathSync(from), at(to))
  }
  copy(process.execPath, 'usr/bin/node')
  cpSync(npmFolder(), at('usr/lib/node_modules/npm'), { recursive: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', at('usr/bin/npm'))
  for (const library of librariesOf(process.execPath)) copy(library)
  if (busybox !== undefined) {
    copy(busybox, 'bin/busybox')
    const applets = execFileSync(busybox, ['--list'], { encoding: 'utf8' }).trim().split('\n')
    for (const applet of applets) if (applet !== 'busybox') symlinkSync('busybox', at(`bin/${applet}`))
    symlinkSync('/bin/busybox', at('usr/bin/env'))
  }
  writeFileSync(at('etc/passwd'), PASSWD)
  writeFileSync(at('etc/group'), GROUP)
  writeFileSync(at('etc/nsswitch.conf'), 'hosts: files dns\n')
  await build({
    entryPoints: GAME_SOURCES,
    outdir: at('game'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'silent',
  })
}

async function followed(docker: Docker, stream: NodeJS.ReadableStream): Promise<void> {
  await new Promise<void>((done, fail) => {
    docker.modem.followProgress(stream, (error: Error | null, lines: { error?: string }[] | null) => {
      const refusal = lines?.find((line) => line.error !== undefined)?.error
      if (error) fail(error)
      else if (refusal !== undefined) fail(new Error(refusal))
      else done()
    })
  })
}

async function importRoot(docker: Docker, name: string, busybox: string | undefined): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bakter-image-'))
  try {
    await writeRoot(join(folder, 'root'), busybox)
    const archive = join(folder, 'root.tar')
    execFileSync('tar', ['--create', '--numeric-owner', `--file=${archive}`, '--directory', join(folder, 'root'), '.'])
    const [repo, tag] = name.split(':')
    const stream = await docker.importImage(archive, { repo, tag, changes: CHANGES })
    await followed(docker, stream)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Loads the test image into the daemon and returns its name and id. It is built from this machine's own files, without
 * any registry, once for each content; later it is loaded from `.build`.
 */
export async function loadTestImage(docker: Docker): Promise<{ name: string; id: string }> {
  const busybox = staticBusybox()
  const hash = contentHash(busybox)
  const name = `bakter/test:${hash}`
  const cached = join(CACHE, `${hash}.tar`)
  if (existsSync(cached)) {
    await followed(docker, await docker.loadImage(createReadStream(cached)))
  } else {
    await importRoot(docker, name, busybox)
    mkdirSync(CACHE, { recursive: true })
    const partial = `${cached}.${process.pid}`
    await pipeline(await docker.getImage(name).get(), createWriteStream(partial))
    renameSync(partial, cached)
  }
  const { Id: id } = await docker.getImage(name).inspect()
  return { name, id }
}
