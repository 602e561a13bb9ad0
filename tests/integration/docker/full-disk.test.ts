import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, openSync, closeSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { DockerNode, type NodeServer } from '../../support/docker-node.ts'
import { waitFor } from '../../support/wait-for.ts'

// Fault 34: the disk of the agent and its servers is full. It is a small disk in memory; the engine has another.
let disk: string
let node: DockerNode
let played: NodeServer
let killed: NodeServer
let suspended: NodeServer

const fill = (): void => {
  const file = openSync(path.join(disk, 'filling'), 'a')
  try {
    // Small pieces at the end, so that nothing is left for anybody.
    for (const size of [1 << 20, 1 << 12, 1]) {
      const piece = Buffer.alloc(size, 'x')
      for (;;) {
        try {
          writeSync(file, piece)
        } catch {
          break
        }
      }
    }
  } finally {
    closeSync(file)
  }
  expect(statfsSync(disk).bavail).toBe(0)
}
const empty = (): void => rmSync(path.join(disk, 'filling'))

beforeAll(async () => {
  disk = mkdtempSync(path.join(tmpdir(), 'bakter-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m,mode=755', 'tmpfs', disk])
  node = await DockerNode.open({ liveRestore: true, data: path.join(disk, 'agent') })
  played = await node.addInstalled()
  killed = await node.addInstalled()
  suspended = await node.addInstalled()
}, 180_000)
afterAll(async () => {
  await node.close()
  execFileSync('umount', ['-l', disk])
  rmSync(disk, { recursive: true })
})

it('on a full disk stops succeed, nothing begins, and all continues once there is space [S-1 to S-5, fault 34]', async () => {
  const player = await node.join(played, 'Anna')
  const console = await node.watch(played)
  const stopped = await node.addInstalled({ start: false })
  const unknown = node.add()
  fill()

  // Others keep running, and can be talked to.
  await player.hears('on a full disk')
  console.send('send command', ['say nobody writes this down'])

  // A server that must end ends, is answered and told.
  expect(await node.power(killed, 'kill')).toMatchObject({ ok: true, code: 'OK' })
  await node.reaches(killed, 'offline')
  expect(await node.suspend(suspended)).toMatchObject({ ok: true })
  await node.reaches(suspended, 'offline')
  expect([await node.running(killed), await node.running(suspended)]).toEqual([[], []])

  // Nothing begins, and the answer says why.
  for (const answer of [
    await node.power(killed, 'start'),
    await node.power(stopped, 'start'),
    await node.install(stopped),
    await node.install(unknown),
  ]) {
    expect(answer).toMatchObject({ ok: false, code: 'DISK_FULL' })
    expect(answer.detail).toContain('full')
  }
  await node.check()
  expect(node.agent?.process.isRunning()).toBe(true)
  expect(existsSync(path.join(disk, 'filling'))).toBe(true)

  empty()
  // Without a restart: the lines that waited are there, each once, and everything can begin.
  await waitFor('the lines that waited', () => console.says('[Server] nobody writes this down'))
  const seqs = console.lines.map(({ seq }) => seq)
  expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index))
  expect(console.lines.filter(({ text }) => text === '[Server] nobody writes this down')).toHaveLength(1)
  await node.start(killed)
  await node.start(stopped)
  await node.expectOk(unknown, node.install(unknown))
  await node.start(unknown)
  await node.check()
  await waitFor('the record of the suspended server', () =>
    /"state":"offline"/.test(node.file(suspended, 'state/server.json')),
  )
  expect(node.file(suspended, 'state/server.json')).toContain('"suspended":true')
  // A server that had ended is forgotten once its end stands on the disk.
  await waitFor('four containers', async () => (await node.daemon.docker.listContainers({ all: true })).length === 4)
  expect(player.hasLeft()).toBe(false)
  await player.hears('still here')
  console.close()
}, 240_000)

it('an installation that fills the disk fails with a sentence, and the others continue [fault 34]', async () => {
  const filling = node.add({
    install: [
      {
        argv: ['/bin/sh', '-c', 'cat /dev/zero > filling; exit 7'],
        timeoutMs: 120_000,
      },
    ],
  })
  const player = await node.join(played, 'Bela')
  const end = await node.install(filling)
  expect(end).toMatchObject({ ok: false })
  expect(['INSTALL_FAILED', 'DISK_FULL']).toContain(end.code)
  await player.hears('beside the installation')
  await node.reaches(filling, 'install_failed')
  const stopped = await node.power(played, 'kill')
  expect(stopped).toMatchObject({ ok: true })
  await node.reaches(played, 'offline')
  rmSync(path.join(node.data, 'servers', filling.identifier, 'root/filling'))
  filling.spec = { ...filling.spec, install: played.spec.install, generation: 2 }
  await node.expectOk(filling, node.install(filling))
  await node.start(filling)
  await node.start(played)
  await node.check()
}, 240_000)
