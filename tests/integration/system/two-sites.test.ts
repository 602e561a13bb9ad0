import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'

import { cookieName } from '../../../src/identity/sessions/cookies.ts'
import { readPrerenderedPages } from '../../../src/server/prerendered-pages.ts'
import { bundleAgent } from '../../support/agent-process.ts'
import { killAndRevive, KeptWriter, moment, repliesMailed, ringsOf, writtenIn } from '../../support/kept-writing.ts'
import { startsOf, startTwoOfEverything, type Program, type World } from '../../support/two-of-everything.ts'
import { waitFor } from '../../support/wait-for.ts'
import { WorldPerson } from '../../support/world-people.ts'

// Two sites with caches of their own, two control planes and two agents, on Redis. Each test goes on from the one before,
// as an outage does.
const WITHIN_MS = 90_000

let bundled: Awaited<ReturnType<typeof bundleAgent>>
let world: World
beforeAll(async () => {
  bundled = await bundleAgent()
  world = await startTwoOfEverything(bundled.bundle)
})
afterAll(async () => {
  await world.close()
  bundled.remove()
})

type Answer = { status: number; body: unknown; cookie: string }
type Ask = { token?: string; cookie?: string; body?: unknown; method?: string; address?: string }

const ask = async (url: string, route: string, options: Ask = {}): Promise<Answer> => {
  const { token, cookie, body, address = '198.51.100.1', method = body === undefined ? 'GET' : 'POST' } = options
  const answer = await fetch(`${url}${route}`, {
    method,
    signal: AbortSignal.timeout(60_000),
    headers: {
      origin: world.url,
      'x-forwarded-for': address,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(cookie === undefined ? {} : { cookie }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const setCookies = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text, cookie: setCookies.join('; ') }
}
const login = async (url: string, username: 'admin' | 'customer') => {
  const answer = await ask(url, '/api/auth/login', { body: world.credentials(username) })
  expect(answer.status).toBe(200)
  return { token: (answer.body as { access_token: string }).access_token, cookie: answer.cookie }
}
const site = (index: number): Program => world.sites[index] as Program
const server = (index: number): string => world.nodes[index]?.serverId ?? ''

/** A browser at a site's gateway, let in by a ticket that the other site gave. */
const browse = async (at: Program, ticketFrom: Program, token: string) => {
  const { body } = await ask(ticketFrom.url, '/api/auth/gateway-ticket', { token })
  const { ticket } = body as { ticket: string }
  const socket = new WebSocket(`${at.url.replace('http', 'ws')}/api/ws/gateway?token=${ticket}`, { origin: world.url })
  const heard: string[] = []
  const lastOf = (index: number) => heard.findLast((text) => text.startsWith(server(index)))
  const browser = { heard, lastOf, isOpen: false, close: () => socket.terminate() }
  socket.on('error', () => {})
  socket.on('close', () => (browser.isOpen = false))
  socket.on('message', (bytes: Buffer) => {
    const { event, data } = JSON.parse(bytes.toString()) as { event: string; data?: { sid: string; state: string } }
    if (event === 'ping') socket.send(JSON.stringify({ event: 'pong' }))
    if (event === 'server.state.change') heard.push(`${data?.sid} ${data?.state}`)
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('close', reject))
  browser.isOpen = true
  return browser
}
const power = async (at: { url: string }, index: number, request: { token: string; action: string }) => {
  const { token, action } = request
  const answer = await waitFor(
    'the action to be taken',
    async () => {
      const told = await ask(at.url, `/api/server/${server(index)}/power`, { token, body: { action } })
      // An action is over a moment after the state that it led to: its end is an event of its own.
      return told.status === 409 ? undefined : told
    },
    WITHIN_MS,
  )
  expect(answer).toMatchObject({ status: 202, body: { accepted: true } })
}
const stateOf = async (index: number): Promise<string | undefined> => {
  const [row] = await world.owner.query<{ state: string; installed: boolean }>(
    'select state, installed from control.server_state where server_id = $1',
    [server(index)],
  )
  return row?.installed === true ? row.state : undefined
}
const reaches = (index: number, state: string) =>
  waitFor(`server ${index} to be ${state}`, async () => (await stateOf(index)) === state, WITHIN_MS)
const page = async (at: Program, route = '/en/blog'): Promise<string> => String((await ask(at.url, route)).body)

/** How many pages a site has answered from its memory. */
const keptAnswers = async ({ healthUrl }: { healthUrl: string }): Promise<number> => {
  const text = await (await fetch(`${healthUrl}/metrics`)).text()
  return Number(/^site_kept_pages_total\{from="memory"\} (\d+)/m.exec(text)?.[1] ?? 0)
}

it('a session that was made at one site is good at the other, and ends at both', async () => {
  const { token, cookie } = await login(site(0).url, 'customer')
  expect(await ask(site(1).url, '/api/user/me', { token })).toMatchObject({ status: 200 })
  const fresh = await ask(site(1).url, '/api/auth/refresh', { cookie, body: {} })
  expect(fresh.status).toBe(200)
  const renewed = (fresh.body as { access_token: string }).access_token
  expect(await ask(site(0).url, '/api/user/me', { token: renewed })).toMatchObject({ status: 200 })
  expect((await ask(site(1).url, '/api/auth/logout', { cookie: fresh.cookie, body: {} })).status).toBeLessThan(300)
  expect(await ask(site(0).url, '/api/user/me', { token: renewed })).toMatchObject({ status: 401 })
})

it('a command of either site reaches each agent, and each event the browsers at both', async () => {
  const { token } = await login(site(0).url, 'customer')
  for (const index of [0, 1]) await reaches(index, 'offline')
  const browsers = [await browse(site(0), site(1), token), await browse(site(1), site(0), token)]
  for (const index of [0, 1]) {
    // Each site asks its own control plane; at least one of the two does not hold this agent's session.
    for (const [at, action, state] of [
      [0, 'start', 'running'],
      [1, 'stop', 'offline'],
      [1, 'start', 'running'],
    ] as const) {
      await power(site(at), index, { token, action })
      await reaches(index, state)
    }
    // A socket that opens hears first how each server is.
    const words = ['offline', 'starting', 'running', 'stopping', 'offline', 'starting', 'running']
    for (const { heard } of browsers) {
      const mine = () => heard.filter((text) => text.startsWith(server(index)))
      await waitFor('the events', () => mine().length >= words.length)
      expect(mine()).toEqual(words.map((word) => `${server(index)} ${word}`))
    }
  }
  for (const browser of browsers) browser.close()
  expect(world.nodes.map(startsOf)).toEqual([2, 2])
})

it('content that is published at one site is on the pages of the other, and withdrawn content is not', async () => {
  const { token } = await login(site(0).url, 'admin')
  // Both have the page in their memories before, where it would stay for longer than this test waits.
  for (const at of [site(0), site(1)]) {
    const before = await keptAnswers(at)
    await waitFor('the page from memory', async () => {
      expect(await page(at)).not.toContain('Two of everything')
      return (await keptAnswers(at)) > before
    })
  }
  const news = { title: 'Two of everything', description: 'And a site less is no outage.', published: true }
  const made = await ask(site(0).url, '/api/cms/news?locale=en', { token, body: news })
  expect(made.status).toBe(201)
  const { id } = (made.body as { doc: { id: string } }).doc
  for (const at of [site(0), site(1)])
    await waitFor('the news', async () => (await page(at)).includes(news.title), WITHIN_MS)
  const change = { token, method: 'PATCH', body: { title: 'Two of everything, changed' } }
  expect((await ask(site(1).url, `/api/cms/news/${id}?locale=en`, change)).status).toBe(200)
  for (const at of [site(1), site(0)])
    await waitFor('the changed news', async () => (await page(at)).includes(change.body.title), WITHIN_MS)
  expect((await ask(site(1).url, `/api/cms/news/${id}`, { token, method: 'DELETE' })).status).toBe(200)
  for (const at of [site(0), site(1)])
    await waitFor('the end of the news', async () => !(await page(at)).includes(news.title), WITHIN_MS)
})

it('a site that could not be told of a change makes its pages anew when it hears again', async () => {
  const news = 'insert into public.news (id, published, updated_at, created_at) values ($1, true, now(), now())'
  const text =
    "insert into public.news_locales (title, description, _locale, _parent_id) values ('Untold', 'x', 'en', $1)"
  const id = '01990000-0000-7000-8000-0000000000ee'
  for (const at of [site(0), site(1)]) expect(await page(at)).not.toContain('Untold')
  await world.owner.query(news, [id])
  await world.owner.query(text, [id])
  await world.owner.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'site-listen' and datname = current_database()",
  )
  for (const at of [site(0), site(1)])
    await waitFor('the news', async () => (await page(at)).includes('Untold'), WITHIN_MS)
})

it('every page from memory is the same for all visitors and contains nothing of the visitor who loaded it first', async () => {
  const person = await new WorldPerson(world).arrive(site(0))
  const cookie = [false, true].map((isSecure) => `${cookieName('access', isSecure)}=${person.token}`).join('; ')
  const own = [person.username, person.id, person.token]
  const read = async (path: string, headers: Record<string, string>) => {
    const answer = await fetch(`${site(0).url}${path}`, { headers, redirect: 'manual' })
    return { status: answer.status, text: await answer.text() }
  }
  const before = await keptAnswers(site(0))
  const paths = [...readPrerenderedPages()]
  for (const path of paths) {
    const signedIn = await read(path, { cookie, authorization: `Bearer ${person.token}` })
    const signedOut = await read(path, {})
    const isShell = /^\/..\/(?:dashboard|panel)/.test(path)
    if (isShell) expect([path, signedOut.status, signedOut.text]).toEqual([path, 307, ''])
    else expect([path, signedOut.status, signedOut.text]).toEqual([path, 200, signedIn.text])
    for (const text of own) expect([path, signedIn.text.includes(text)]).toEqual([path, false])
  }
  expect(paths.length).toBeGreaterThan(60)
  expect(await keptAnswers(site(0))).toBeGreaterThan(before + 30)
})

it('limits of sign-in count over both sites together', async () => {
  const body = { username: 'nobody-at-all', password: 'not the password' }
  const tried: number[] = []
  for (let attempt = 0; attempt < 12; attempt += 1) {
    const { status } = await ask(site(attempt % 2).url, '/api/auth/login', { body, address: '198.51.100.77' })
    tried.push(status)
  }
  // Ten for an address and a name (ROUTE_LIMITS.loginAccount), whichever site is asked.
  expect(tried.slice(0, 10)).not.toContain(429)
  expect(tried.slice(10)).toEqual([429, 429])
})

describe('access that ends (at both sites, the gateway and the node)', () => {
  const patch = async (person: WorldPerson, body: object) => {
    const { token } = await login(site(0).url, 'admin')
    const answer = await ask(site(0).url, `/api/cms/users/${person.id}`, { token, method: 'PATCH', body })
    expect(answer.status).toBe(200)
  }
  const giveRole = (person: WorldPerson) =>
    world.owner.query(
      `insert into public.users_rels (parent_id, path, roles_id) select $1, 'role', id from public.roles where slug = 'support'`,
      [person.id],
    )
  const ways: [string, (person: WorldPerson) => Promise<unknown>][] = [
    ['of somebody whose role is removed', (person) => patch(person, { role: [] })],
    ['of somebody who is suspended', (person) => patch(person, { suspended: true })],
    [
      'of somebody who logs out everywhere',
      (person) => person.ask(site(0), '/api/auth/logout', { body: { all: true } }),
    ],
  ]

  it.each(ways)('%s', async (_whose, end) => {
    const node = world.nodes[0] as World['nodes'][number]
    const [person, other] = [await new WorldPerson(world).arrive(site(0)), await new WorldPerson(world).arrive(site(0))]
    await giveRole(person)
    const open = async (who: WorldPerson) => ({
      gateway: await who.browse(site(1), site(0)),
      console: await who.watch(site(0), node),
    })
    const [mine, kept] = [await open(person), await open(other)]
    const statuses = async (who: WorldPerson) =>
      Promise.all([site(0), site(1)].map(async (at) => (await who.ask(at, '/api/user/me')).status))
    expect(await statuses(person)).toEqual([200, 200])
    await end(person)
    const left = () => [mine.gateway.code, mine.console.closeCode]
    await waitFor('every access to end', async () => `${left()},${await statuses(person)}` === '4401,4401,401,401')
    expect([kept.gateway.code, kept.console.closeCode]).toEqual([undefined, undefined])
    expect(await statuses(other)).toEqual([200, 200])
    kept.gateway.close()
    kept.console.close()
  })
})

it('the keys change by their command while people sign in, show codes and open sockets: nobody notices', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => new WorldPerson(world).arrive(site(0))))
  const guarded = await Promise.all(Array.from({ length: 3 }, () => new WorldPerson(world).arrive(site(1))))
  for (const person of guarded) await person.turnAppOn(site(0))
  let isOver = false
  const failures: unknown[] = []
  const done = { sign: 0, socket: 0 }
  const work = async (person: WorldPerson, at: number) => {
    for (let round = at; !isOver; round += 1) {
      const [here, there] = [site(round % 2), site((round + 1) % 2)]
      const status = await person.signIn(here)
      const me = await person.ask(there, '/api/user/me')
      if (status !== 200 || me.status !== 200) failures.push({ status, me })
      done.sign += 1
      const browser = await person.browse(there, here).catch((error: unknown) => void failures.push(error))
      browser?.close()
      done.socket += 1
    }
  }
  const load = people.map(work)
  for (const [round, person] of guarded.entries()) {
    const from = { ...done }
    const rotated = world.rotateKeys()
    const status = await person.signIn(site(round % 2))
    if (status !== 200) failures.push({ status, round })
    await rotated
    await waitFor('more sign-ins', () => done.sign > from.sign + 4 && done.socket > from.socket + 4, WITHIN_MS)
  }
  isOver = true
  await Promise.all(load)
  expect(failures).toEqual([])
  const keys = await world.owner.query<{ retired: boolean; believed: boolean }>(
    'select retired_at is not null as retired, coalesce(retired_at > now(), true) as believed from identity.signing_keys',
  )
  expect(keys.filter(({ believed }) => believed).length).toBe(keys.length)
  expect(keys.filter(({ retired }) => !retired)).toHaveLength(1)
  const older = await world.owner.query(
    `select 1 from identity.totp where not starts_with(sealed_secret, 'bound:' || (
       select id from identity.sealing_keys where retired_at is null) || ':')`,
  )
  expect([keys.length >= 4, older]).toEqual([true, []])
})

it('the loss of a site leaves nobody without one: people, commands and events go on at the other', async () => {
  const { token } = await login(site(0).url, 'customer')
  const [lost, other] = [await browse(site(0), site(0), token), await browse(site(1), site(1), token)]
  site(0).process.signal('SIGKILL')
  await site(0).process.ended
  await waitFor('the socket to end', () => !lost.isOpen)
  expect(other.isOpen).toBe(true)
  // At the address that customers know.
  await waitFor('a page', async () => (await ask(world.url, '/en')).status === 200, WITHIN_MS)
  expect(await ask(world.url, '/api/user/me', { token })).toMatchObject({ status: 200 })
  await login(world.url, 'customer')
  const again = await browse({ ...site(0), url: world.url }, { ...site(0), url: world.url }, token)
  for (const index of [0, 1]) {
    await power(world, index, { token, action: 'restart' })
    await waitFor('the third start', () => startsOf(world.nodes[index] as World['nodes'][number]) === 3, WITHIN_MS)
    await reaches(index, 'running')
    for (const { lastOf } of [other, again])
      await waitFor('the event', () => lastOf(index) === `${server(index)} running`, WITHIN_MS)
  }
  for (const browser of [other, again]) browser.close()
  await world.revive(site(0))
  expect(await ask(site(0).url, '/api/user/me', { token })).toMatchObject({ status: 200 })
})

it('the loss of a control plane leaves neither site without one', async () => {
  const { token } = await login(site(0).url, 'customer')
  const plane = world.planes[0] as Program
  plane.process.signal('SIGKILL')
  await plane.process.ended
  for (const at of [0, 1]) {
    const browser = await waitFor('a socket', () => browse(site(at), site(at), token), WITHIN_MS)
    await power(site(at), at, { token, action: 'stop' })
    await reaches(at, 'offline')
    await power(site(1 - at), at, { token, action: 'start' })
    await reaches(at, 'running')
    await waitFor('the event', () => browser.lastOf(at) === `${server(at)} running`, WITHIN_MS)
    browser.close()
  }
  expect(world.nodes.map(startsOf)).toEqual([4, 4])
})

it('all control planes and then all sites are killed while people write: no message is lost, and none is there twice', async () => {
  // The test before this one ended one of them.
  const [gone] = world.planes.filter(({ process }) => !process.isRunning())
  if (gone) await world.revive(gone)
  const customer = await new KeptWriter(world, 'customer').signIn()
  const staff = await new KeptWriter(world, 'admin').signIn()
  const both = await customer.openTicket('Both write here')
  const mailed = await customer.openTicket('Only staff write here')
  const pages = await Promise.all([customer.watch(both), staff.watch(both)])
  const questions = Array.from({ length: 20 }, (_, at) => `Question ${at}.`)
  // A mail has ten replies at most.
  const replies = Array.from({ length: 10 }, (_, at) => `Reply ${at}.`)
  let taken = 0
  // Some messages of each are held back until the programs are dead, so that they meet nobody.
  const dead = [moment(), moment()] as const
  const writing = [
    (async () => {
      for (const [at, text] of questions.entries()) {
        if (at === 6) await dead[0].come
        if (at === 14) await dead[1].come
        await customer.say(text, [both])
        taken += 1
      }
    })(),
    (async () => {
      for (const [at, text] of replies.entries()) {
        if (at === 3) await dead[0].come
        if (at === 7) await dead[1].come
        await staff.say(text, [both, mailed])
        // Nobody has to wait for three minutes.
        await world.owner.query(
          'update control.ticket_mails set due_at = now() where ticket_id = $1 and due_at is not null',
          [mailed],
        )
        taken += 1
      }
    })(),
  ]
  const outages = () => customer.outages + staff.outages
  await waitFor('the first messages', () => taken >= 4, 120_000)
  await killAndRevive(world, world.planes, dead[0])
  await waitFor('more messages', () => taken >= 13, 120_000)
  const ofPlanes = outages()
  expect(ofPlanes).toBeGreaterThan(0)
  await killAndRevive(world, world.sites, dead[1])
  await Promise.all(writing)
  expect(outages()).toBeGreaterThan(ofPlanes)
  expect(await writtenIn(world, both, 'customer')).toEqual(['Please', ...questions])
  expect(await writtenIn(world, both, 'staff')).toEqual(replies)
  expect(await writtenIn(world, mailed, 'staff')).toEqual(replies)
  expect(await ringsOf(world, [both, mailed])).toEqual({ customer: 2 * replies.length, staff: 0 })
  for (const page of pages) expect(await page.leaveWith(await writtenIn(world, both))).toBeGreaterThan(1)
  const told = () => repliesMailed(world, 'Only staff write here')
  await waitFor('the mails', () => told().length >= replies.length, 360_000)
  expect(told()).toEqual(replies)
}, 900_000)
