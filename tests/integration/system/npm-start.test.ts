import { createServer } from 'node:http'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { demoPorts, startDemo, type Demo } from '../../support/demo.ts'
import { processesNaming, processTree, watchProcesses } from '../../support/process-tree.ts'
import { startOwnProcess } from '../../support/own-process.ts'
import { waitFor } from '../../support/wait-for.ts'

const BUILDS = /✓ (Programs|Site \(one to three minutes\)) +built/
/** Rows of a terminal. */
const SCREEN = 24

async function login(demo: Demo, role: 'admin' | 'support' | 'customer') {
  const answer = await fetch(`${demo.file.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: demo.file.url },
    body: JSON.stringify(demo.file[role]),
  })
  const body = (await answer.json()) as { access_token?: string }
  return { status: answer.status, token: body.access_token }
}

async function me(demo: Demo, token: string | undefined): Promise<{ username?: string }> {
  const answer = await fetch(`${demo.file.url}/api/user/me`, { headers: { authorization: `Bearer ${token}` } })
  return (await answer.json()) as { username?: string }
}

describe('npm start', () => {
  // In a folder that only root may enter, as a clone in root's home is.
  const home = mkdtempSync(join(tmpdir(), 'bakter-start-'))
  const dataDir = join(home, 'data')
  let ports: Record<string, number>
  let demo: Demo
  beforeAll(async () => {
    ports = await demoPorts()
    demo = await startDemo({ dataDir, ports })
  })
  afterAll(async () => {
    await demo.stop()
    rmSync(home, { recursive: true, force: true })
  })

  test('writes addresses and accounts for their owner alone, and the accounts work', async () => {
    expect(statSync(join(dataDir, 'demo.json')).mode & 0o777).toBe(0o600)
    expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600)
    for (const role of ['admin', 'support', 'customer'] as const) {
      const { status, token } = await login(demo, role)
      expect(status).toBe(200)
      expect(await me(demo, token)).toMatchObject({ username: role })
      expect(demo.supervisor.output()).toContain(`${demo.file[role].username} / ${demo.file[role].password}`)
    }
  })

  test('prints its steps, addresses, accounts and the first thing to do on one screen', () => {
    const output = demo.supervisor.output()
    expect(output).toMatch(/✓ Database schema +\d+ migrations applied, \d/)
    expect(output).toMatch(/✓ Demo content +added, \d/)
    expect(output).not.toMatch(/\d{4}_[a-z]+|\d{8}_\d{6}/)
    for (const address of ['', '/admin', '/dev/mail']) expect(output).toContain(` ${demo.file.url}${address}\n`)
    expect(output).toContain(`${demo.file.url}/en/dashboard/services/game`)
    expect(output.trimEnd().split('\n').length).toBeLessThanOrEqual(SCREEN)
  })

  test('names the user of servers without a separate one, and how to fix it', () => {
    expect(demo.supervisor.output()).toContain(
      process.getuid?.() === 0
        ? `agent: Servers run as root, because other users may not pass through ${home}: chmod o+x ${home}`
        : 'agent: The agent is not root, so all servers run under its own user.',
    )
  })

  test('the landing page shows the services and the address of this data folder', async () => {
    const page = await (await fetch(`${demo.file.url}/en`)).text()
    expect(/<link rel="canonical" href="([^"]+)"/.exec(page)?.[1]).toBe(`${demo.file.url}/en`)
    expect(page).toMatch(/Minecraft[\s\S]*990/)
  })

  test('names the port that is in use, and the variable that changes it', async () => {
    const server = createServer()
    const free = await demoPorts()
    await new Promise<void>((done) => server.listen(free['AGENT_PORT'], '127.0.0.1', done))
    const start = startDemo({ dataDir: join(home, 'other'), ports: free })
    await expect(start).rejects.toThrow(
      `Port ${free['AGENT_PORT']} is taken by another program: stop it, or set AGENT_PORT to a free port.`,
    )
    server.close()
  })

  test('is refused a second time in the same data folder', async () => {
    const start = startDemo({ dataDir, ports: await demoPorts() })
    await expect(start).rejects.toThrow(`Process ${demo.supervisor.pid} already runs Bakter in ${dataDir}`)
  })

  test('restarts a killed program, and its health reports it', async () => {
    const site = processTree(demo.supervisor.pid).find((pid) => processesNaming('dist/site.mjs').includes(pid))
    expect(site).toBeDefined()
    process.kill(site ?? 0, 'SIGKILL')
    await demo.supervisor.waitForOutput('site ended unexpectedly (SIGKILL); starting it again')
    await waitFor(
      'the site',
      async () => (await fetch(`http://127.0.0.1:${ports['SITE_HEALTH_PORT']}/health/ready`)).ok,
      120_000,
    )
    expect((await login(demo, 'customer')).status).toBe(200)
  })

  test('leaves no process after Ctrl-C; a second start builds, migrates and seeds nothing, and the data is there', async () => {
    const left = watchProcesses(processTree(demo.supervisor.pid))
    const { token } = await login(demo, 'customer')
    await demo.stop()
    expect(demo.supervisor.output()).not.toContain('Forced.')
    // A process that nobody waits for is gone a moment after the one that ended it.
    await expect.poll(left).toEqual([])
    await expect.poll(() => processesNaming(dataDir)).toEqual([])
    const before = demo.file
    demo = await startDemo({ dataDir, ports })
    expect(demo.supervisor.output()).not.toMatch(BUILDS)
    expect(demo.supervisor.output()).toMatch(/✓ Database schema +up to date, /)
    expect(demo.supervisor.output()).not.toContain('Demo content')
    expect(demo.file).toEqual(before)
    expect(await me(demo, token)).toMatchObject({ username: 'customer' })
  })

  test('leaves no process after its supervisor is killed either, and the next start may have other ports', async () => {
    const left = watchProcesses(processTree(demo.supervisor.pid))
    demo.supervisor.signal('SIGKILL')
    await waitFor('the programs and the database to end', () => left().length === 0, 60_000)
    await expect.poll(() => processesNaming(dataDir)).toEqual([])
    ports = await demoPorts()
    demo = await startDemo({ dataDir, ports })
    expect((await login(demo, 'customer')).status).toBe(200)
    // The policy names the nodes as the computers' rows do: browsers find the consoles at the new port.
    await waitFor('the policy to name the node', async () => {
      const policy = (await fetch(`${demo.file.url}/en`)).headers.get('content-security-policy')
      return policy?.includes(`ws://127.0.0.1:${ports['AGENT_PORT']}`)
    })
  })
})

test('npm start refuses production', async () => {
  const start = startOwnProcess({
    command: process.execPath,
    args: ['scripts/start.mjs'],
    env: { BAKTER_MODE: 'production', BAKTER_DATA: join(tmpdir(), 'bakter-never') },
  })
  expect(await start.ended).toMatchObject({ code: 1 })
  expect(start.output()).toContain('npm start runs the demo; production is docker-compose.yml.')
})
