import { chmodSync, chownSync, readFileSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { DEFAULT_HISTORY } from '../../../agents/console/history.ts'
import { readState, taskFolder, writeSpec } from '../../../agents/runtime/process/task-files.ts'
import { runtimeDriverSuite } from '../../suites/runtime-driver.suite.ts'
import { shimCommandOf } from '../../support/agent-bundles.ts'
import { freePort } from '../../support/free-port.ts'
import { startOwnProcess } from '../../support/own-process.ts'
import { waitFor } from '../../support/wait-for.ts'
import { exitOf, isRoot, ProcessDriverRig, textsOf, UID } from '../../support/process-driver-rig.ts'

let rig: ProcessDriverRig

beforeAll(async () => {
  rig = await ProcessDriverRig.open()
})
afterAll(() => rig.remove())

describe('process driver', () => {
  runtimeDriverSuite(() => ({
    newDriver: () => rig.newDriver(),
    newFolders: () => rig.newFolders(),
    uid: UID,
    game: rig.game(),
    missing: ['/no/such/program'],
    environment: () => ({ GAME_START_DELAY_MS: '10' }),
  }))

  it('gives the program only the environment of its task', async () => {
    const driver = rig.newDriver()
    const folders = rig.newFolders()
    const spec = rig.specFor(folders, rig.game(), { environment: { GAME_START_DELAY_MS: '10', GREETING: '$(id)`id`' } })
    await driver.start(spec)
    await waitFor('the game', () => textsOf(driver, folders).includes('Done! The game is open'))
    await driver.writeLine(spec.handle, folders, 'environment')
    const answer = await waitFor('the answer', () =>
      textsOf(driver, folders).find((text) => text.startsWith('Environment: ')),
    )
    expect(answer).toBe('Environment: BAKTER_TASK GAME_START_DELAY_MS GREETING')
    await driver.writeLine(spec.handle, folders, 'stop')
    await exitOf(driver, spec)
  })

  it('runs the program under its own user where possible, and never lets it gain privileges', async () => {
    const driver = rig.newDriver()
    const folders = rig.newFolders()
    const spec = rig.specFor(folders, rig.game())
    await driver.start(spec)
    await waitFor('the game', () => textsOf(driver, folders).includes('Done! The game is open'))
    const pid = readState(taskFolder(folders.state, spec.handle.taskId))?.child.pid ?? 0
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const uid = isRoot ? UID : process.getuid?.()
    expect(status).toMatch(new RegExp(`^Uid:\\s+${uid}\\s+${uid}\\s+${uid}`, 'm'))
    if (isRoot) expect(status).toMatch(/^Groups:\s*$/m)
    expect(status).toMatch(/^NoNewPrivs:\s+1/m)
    await driver.signal(spec.handle, folders, 'SIGKILL')
    await exitOf(driver, spec)
  })

  it('sees what the program listens at, and nothing once it has ended', async () => {
    const driver = rig.newDriver()
    const folders = rig.newFolders()
    const [tcp, udp] = [await freePort(), await freePort()]
    const script = `
      require('node:net').createServer().listen(${tcp}, '127.0.0.1', () =>
        require('node:dgram').createSocket('udp4').bind(${udp}, '127.0.0.1', () => console.log('listens')))`
    const spec = rig.specFor(folders, [process.execPath, '-e', script])
    await driver.start(spec)
    await waitFor('the program', () => textsOf(driver, folders).includes('listens'))
    const seen = await driver.listening(spec.handle, folders)
    expect([seen?.tcp.has(tcp), seen?.udp.has(tcp), seen?.tcp.has(udp), seen?.udp.has(udp)]).toEqual([
      true,
      false,
      false,
      true,
    ])
    await driver.signal(spec.handle, folders, 'SIGKILL')
    await exitOf(driver, spec)
    expect(await driver.listening(spec.handle, folders)).toBeUndefined()
  })

  it('ends a program at its time limit, also when nobody watches', async () => {
    const driver = rig.newDriver()
    const folders = rig.newFolders()
    const spec = rig.specFor(folders, rig.game(), { timeoutMs: 700 })
    await driver.start(spec)
    expect(await exitOf(driver, spec)).toMatchObject({ signal: 'SIGKILL' })
    expect(textsOf(driver, folders).join('\n')).toContain('the time limit was reached')
  })

  it('bounds the input that waits for a program that never reads it', async () => {
    const driver = rig.newDriver()
    const folders = rig.newFolders()
    const spec = rig.specFor(folders, [process.execPath, '-e', 'console.log("here"); setInterval(() => {}, 1000)'])
    await driver.start(spec)
    await waitFor('the program', () => textsOf(driver, folders).includes('here'))
    let taken = 0
    while (taken < 200 && (await driver.writeLine(spec.handle, folders, 'x'.repeat(4_000)))) taken += 1
    expect(taken).toBeLessThan(100)
    await driver.signal(spec.handle, folders, 'SIGKILL')
    expect(await exitOf(driver, spec)).toMatchObject({ signal: 'SIGKILL' })
  })

  it('bounds the file and the speed of a program that floods its console, reports it, and accepts input [case 122, P14]', async () => {
    const driver = rig.newDriver()
    const folders = rig.newFolders()
    const script = `
      const block = ('y'.repeat(199) + '\\n').repeat(500)
      const more = () => { while (process.stdout.write(block)); process.stdout.once('drain', more) }
      process.stdin.once('data', () => process.exit(7))
      more()`
    const spec = rig.specFor(folders, [process.execPath, '-e', script])
    await driver.start(spec)
    const source = driver.openConsole(folders)
    const bytesKept = () =>
      readdirSync(folders.console).reduce((sum, name) => sum + statSync(path.join(folders.console, name)).size, 0)
    // 40 MB of output, of which the newest are kept.
    await waitFor('the flood', () => source.refresh() && source.lastSeq > 200_000, 240_000)
    const { keepSegments, segmentBytes } = DEFAULT_HISTORY
    expect(source.firstSeq).toBeGreaterThan(1)
    expect(bytesKept()).toBeLessThan((keepSegments + 1) * segmentBytes)
    expect(await driver.writeLine(spec.handle, folders, 'end')).toBe(true)
    expect(await exitOf(driver, spec)).toMatchObject({ code: 7 })
    source.refresh()
    // A program that gets too little of the processor to flood has its note where the flood ended, not at its own end.
    const notes: string[] = []
    for (let seq = source.firstSeq - 1; seq < source.lastSeq;) {
      const { lines } = source.after(seq, 1_000)
      notes.push(...lines.flatMap((line) => (line.stream === 'x' ? [line.text] : [])))
      seq = lines.at(-1)?.seq ?? source.lastSeq
    }
    expect(notes.join('\n')).toMatch(/The output was slowed down by .* No line was lost/)
  }, 400_000)

  it('gives the program no descriptor of the agent and no folder of another server', async () => {
    if (!isRoot) return
    const driver = rig.newDriver()
    const [folders, other] = [rig.newFolders(), rig.newFolders()]
    for (const { state, console: lines } of [folders, other])
      for (const folder of [state, lines]) chmodSync(folder, 0o700)
    chmodSync(other.root, 0o700)
    chownSync(other.root, UID + 1, UID + 1)
    const script = `
      const fs = require('node:fs')
      const links = fs.readdirSync('/proc/self/fd').flatMap((fd) => {
        try { return [fs.readlinkSync('/proc/self/fd/' + fd)] } catch { return [] }
      })
      const closed = ${JSON.stringify([folders.state, folders.console, ...Object.values(other)])}.map((folder) => {
        try { fs.readdirSync(folder); return 'open' } catch (error) { return error.code }
      })
      const shim = fs.readFileSync('/proc/' + process.ppid + '/status', 'utf8').match(/^Uid:\\t(\\d+)/m)[1]
      let environ = 'read'
      try { fs.readFileSync('/proc/' + process.ppid + '/environ') } catch (error) { environ = error.code }
      console.log(JSON.stringify({ links, closed, shim, environ, umask: process.umask() }))`
    const spec = rig.specFor(folders, [process.execPath, '-e', script])
    await driver.start(spec)
    await exitOf(driver, spec)
    const text = await waitFor('its words', () => textsOf(driver, folders).find((line) => line.startsWith('{')))
    const seen = JSON.parse(text) as { links: string[]; closed: string[]; shim: string; environ: string; umask: number }
    expect(seen.links.filter((link) => !/^(pipe:|anon_inode:|socket:|\/dev\/null|\/proc\/)/.test(link))).toEqual([])
    expect(seen.closed).toEqual(Array<string>(5).fill('EACCES'))
    expect(seen).toMatchObject({ shim: '0', environ: 'EACCES', umask: 0o077 })
  })

  it('does not let a late shim begin anything [A4, S-1]', async () => {
    const driver = rig.newDriver()
    const folders = rig.newFolders()
    const spec = rig.specFor(folders, rig.game())
    await driver.recover(spec.handle, folders)
    const folder = taskFolder(folders.state, spec.handle.taskId)
    const { handle, environment, argv } = spec
    const plain = { version: 1 as const, taskId: handle.taskId, kind: handle.kind, timeoutMs: null, uid: null }
    writeSpec(folder, { ...plain, argv, environment, workingFolder: folders.root, consoleFolder: folders.console })
    const [command = '', ...args] = shimCommandOf(rig.bundles)
    const late = startOwnProcess({ command, args: [...args, folder] })
    expect(await late.ended).toEqual({ code: 3, signal: null })
    expect(textsOf(driver, folders)).toEqual([])
  })

  it('works in a folder whose path is too long for a socket', async () => {
    const driver = rig.newDriver()
    const folders = rig.newFolders('a-rather-long-name-for-a-folder/'.repeat(4))
    const spec = rig.specFor(folders, rig.game())
    expect((await driver.start(spec)).is).toBe('running')
    await waitFor('the game', () => textsOf(driver, folders).includes('Done! The game is open'))
    expect(await driver.writeLine(spec.handle, folders, 'stop')).toBe(true)
    expect(await exitOf(driver, spec)).toMatchObject({ code: 0 })
  })

  it('keeps all lines of a flood in their order', async () => {
    const driver = rig.newDriver()
    const folders = rig.newFolders()
    const spec = rig.specFor(folders, rig.game())
    await driver.start(spec)
    await waitFor('the game', () => textsOf(driver, folders).includes('Done! The game is open'))
    await driver.writeLine(spec.handle, folders, 'count 20000')
    await driver.writeLine(spec.handle, folders, 'stop')
    await exitOf(driver, spec)
    const source = driver.openConsole(folders)
    const counted: string[] = []
    for (let at = 0; at < source.lastSeq;) {
      const { lines } = source.after(at, 5_000)
      at = lines.at(-1)?.seq ?? source.lastSeq
      counted.push(...lines.filter((line) => line.text.startsWith('count ')).map((line) => line.text))
    }
    expect(counted).toEqual(Array.from({ length: 20_000 }, (_, index) => `count ${index + 1}`))
  })

  it('measures the whole process tree', async () => {
    const driver = rig.newDriver()
    const folders = rig.newFolders()
    const spec = rig.specFor(folders, rig.game())
    await driver.start(spec)
    await waitFor('the game', () => textsOf(driver, folders).includes('Done! The game is open'))
    const sample = await waitFor('a sample', () => driver.sample(spec.handle, folders))
    expect(sample.memoryBytes).toBeGreaterThan(10 << 20)
    expect(sample.cpuMs).toBeGreaterThan(0)
    expect(sample.processes).toBe(1)
    await driver.signal(spec.handle, folders, 'SIGKILL')
    await exitOf(driver, spec)
    expect(readdirSync(folders.state)).toEqual(['tasks'])
  })
})
