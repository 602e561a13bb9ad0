import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { NodePorts } from '#contracts/panel/node-ports.ts'
import { PERMISSIONS } from '#contracts/panel/permissions.ts'
import { NODE_ID, SERVER_ID, USER_ID } from '../../factories/server-spec.ts'
import { codeOf, FilesRig } from '../../support/files-rig.ts'

const OTHER_ID = '01990000-0000-7000-8000-000000000002'
const allocations = [25_565, 25_566].map((port) => ({ ip: '127.0.0.1', port, primary: port === 25_565 }))
let rig: FilesRig
beforeAll(async () => {
  rig = await FilesRig.open({ allocations })
  await rig.addServer(OTHER_ID, 'qrtuvwxy', {})
  await rig.rig.power('start', { allocations })
})
afterAll(() => rig.close())
beforeEach(() => {
  const { tcp, udp } = rig.rig.world.listening
  tcp.clear()
  udp.clear()
  // A look is kept for a second.
  rig.rig.clock.set(rig.rig.clock.now() + 2_000)
})

const token = (change: object = {}, header: object = {}) =>
  rig.token({ purpose: 'ports', permissions: ['allocation.view'], ...change }, { typ: 'ports+jwt', ...header })
const look = async (by = token(), { serverId = SERVER_ID, method = 'GET' } = {}) =>
  rig.ask(`/servers/${serverId}/ports`, { method, token: await by })
const portsOf = async () => NodePorts.parse((await look()).json).ports

describe('what listens on the ports of a server', () => {
  it('is said for each of its ports, for tcp and udp, and for no other port of the machine', async () => {
    const { tcp, udp } = rig.rig.world.listening
    for (const port of [25_565, 443]) tcp.add(port)
    for (const port of [25_566, 53]) udp.add(port)
    expect(await portsOf()).toEqual([
      { port: 25_565, tcp: true, udp: false },
      { port: 25_566, tcp: false, udp: true },
    ])
  })

  it('is nothing while no program of the server runs, whoever else has its ports', async () => {
    rig.rig.world.listening.tcp.add(25_565)
    await rig.rig.power('stop', { allocations })
    expect(await portsOf()).toEqual(allocations.map(({ port }) => ({ port, tcp: false, udp: false })))
    await rig.rig.power('start', { allocations })
  })

  it('is read by the page of the site, and kept by no cache', async () => {
    const { headers, status } = await look()
    expect([status, headers['cache-control'], headers['access-control-allow-origin']]).toEqual([
      200,
      'no-store',
      'http://site.test',
    ])
  })
})

describe('who is refused', () => {
  it('every token but one of this kind, for this server, of this node, with the permission', async () => {
    const refused = [
      token({}, { typ: 'files+jwt' }),
      rig.token(),
      token({ purpose: 'files' }),
      token({ server: OTHER_ID }),
      token({ aud: OTHER_ID }),
      token({ exp: 1 }),
      Promise.resolve('nothing'),
    ]
    for (const by of refused) {
      const answer = await look(by)
      expect([answer.status, codeOf(answer)]).toEqual([401, 'INVALID_TOKEN'])
    }
    expect((await look(token({ server: OTHER_ID }), { serverId: OTHER_ID })).status).toBe(200)
    const others = PERMISSIONS.filter((permission) => permission !== 'allocation.view')
    const answer = await look(token({ permissions: others }))
    expect([answer.status, answer.json]).toEqual([
      403,
      { error: { code: 'FORBIDDEN', message: expect.any(String), permission: 'allocation.view' } },
    ])
  })

  it('the token opens nothing else', async () => {
    const body = JSON.stringify({ path: '' })
    const full = { permissions: PERMISSIONS }
    const files = await rig.ask(`/servers/${SERVER_ID}/files/list`, { method: 'POST', token: await token(full), body })
    expect(files.status).toBe(401)
  })

  it('a server that is not here, and a method that changes something', async () => {
    const strange = '01990000-0000-7000-8000-000000000009'
    expect((await look(token({ server: strange }), { serverId: strange })).status).toBe(404)
    expect((await look(token(), { method: 'POST' })).status).toBe(405)
  })

  it('a person who asks without end, for a while', async () => {
    const mine = await token({ sub: '01990000-0000-7000-8000-0000000000b2' })
    const headers = { authorization: `Bearer ${mine}` }
    // Not by the rig, which lets the time pass that each call would take.
    const statuses: number[] = []
    for (let turn = 0; turn < 40; turn += 1) {
      const asked = Array.from({ length: 20 }, () =>
        fetch(`http://127.0.0.1:${rig.port}/servers/${SERVER_ID}/ports`, { headers }),
      )
      for (const response of await Promise.all(asked)) {
        await response.arrayBuffer()
        statuses.push(response.status)
        if (response.status === 503) expect(response.headers.get('retry-after')).toBe('2')
      }
    }
    expect([statuses[0], statuses.includes(503), new Set(statuses).size]).toEqual([200, true, 2])
    expect((await look()).status).toBe(200)
  })

  it('a token that was revoked', async () => {
    const mine = await token({ sub: USER_ID, aud: NODE_ID })
    expect((await look(Promise.resolve(mine))).status).toBe(200)
    rig.revocations.add({
      serverId: null,
      userId: USER_ID,
      sessionId: null,
      issuedBeforeMs: rig.rig.clock.now() + 1_000,
    })
    expect((await look(Promise.resolve(mine))).status).toBe(401)
  })
})
