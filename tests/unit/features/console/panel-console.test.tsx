// @vitest-environment happy-dom
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Server } from '#contracts/http/server.ts'
import { PanelConsole, usePanelWord } from '../../../../src/features/console/panel-console.tsx'
import { useConsole } from '../../../../src/features/console/use-console.ts'
import { keys } from '../../../../src/lib/queries/queries.ts'
import { useServer } from '../../../../src/lib/servers/use-server.ts'
import { SHOWN_SERVER_ID, shownServer } from '../../../factories/shown-server.ts'
import { eventually, shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'

/** The stand-in that the page opens in place of a socket. */
class FakeSocket {
  static all: FakeSocket[] = []
  static readonly OPEN = 1
  readyState = 1
  isClosed = false
  readonly sent: string[] = []
  onopen: () => void = () => {}
  onmessage: (event: { data: string }) => void = () => {}
  onclose: (event: { code: number; wasClean: boolean }) => void = () => {}
  readonly address: string
  constructor(address: string) {
    this.address = address
    FakeSocket.all.push(this)
  }
  send(text: string): void {
    this.sent.push(text)
  }
  close(): void {
    this.isClosed = true
  }
  say(message: object): void {
    this.onmessage({ data: JSON.stringify(message) })
  }
  /** As a node that takes the token. */
  admit(word: string): void {
    this.onopen()
    this.say({ event: 'auth success', args: [{ firstSeq: 1, lastSeq: 1 }] })
    this.say({ event: 'status', args: [word] })
  }
}

let page: ShownPage
beforeEach(() => {
  FakeSocket.all = []
  vi.stubGlobal('WebSocket', FakeSocket)
})
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})

const Sign = ({ id }: { id: string }) => <b className="sign">{usePanelWord(useServer(id).data)}</b>
const Log = () => <i className="log">{useConsole().state.log.entries.map((entry) => `${entry.kind} ${entry.seq}`)}</i>

/** A panel whose page and server a test changes. */
const Panel = () => {
  const [id, setId] = useState<string | undefined>(SHOWN_SERVER_ID)
  const [isConsole, setConsole] = useState(false)
  return (
    <PanelConsole serverId={id}>
      {id === undefined ? null : <Sign id={id} />}
      {isConsole ? <Log /> : null}
      <button onClick={() => setConsole(!isConsole)}>page</button>
      <button onClick={() => setId(undefined)}>leave</button>
    </PanelConsole>
  )
}

const open = (change: Partial<Server> = {}) => {
  const server = shownServer({ permissions: ['console.read'], ...change })
  page = shownPage(<Panel />, {
    'GET /api/user/servers': () => Response.json([server]),
    [`GET /api/server/${SHOWN_SERVER_ID}`]: () => Response.json(server),
    [`GET /api/server/${SHOWN_SERVER_ID}/ws`]: () =>
      Response.json({ token: 'a-token', socket: `/servers/${SHOWN_SERVER_ID}/ws`, url: 'http://node.test' }),
  })
}
const press = async (name: string) => (await page.see('button', name)).click()
const socket = () =>
  eventually(() => {
    const [first] = FakeSocket.all
    expect(first).toBeDefined()
    return first as FakeSocket
  })

test('any page of the panel opens the link; it stays from page to page, with the lines, and ends with the panel', async () => {
  open()
  await page.see('.sign', 'offline')
  const first = await socket()
  first.admit('running')
  await page.see('.sign', 'running')
  // The list knows too, for the rest of the site.
  expect(page.client.getQueryData<Server[]>(keys.servers)?.[0]?.status).toBe('running')
  first.say({ event: 'console output', args: [[[1, 0, 'o', 'while nobody looks']]] })
  await press('page')
  await page.see('.log', 'line 1')
  await press('page')
  first.say({ event: 'console output', args: [[[2, 0, 'o', 'and again']]] })
  await press('page')
  await page.see('.log', 'line 1line 2')
  expect([FakeSocket.all.length, first.isClosed]).toEqual([1, false])
  await press('leave')
  await eventually(() => expect(first.isClosed).toBe(true))
})

test('a new token goes over the same socket', async () => {
  open()
  const first = await socket()
  first.admit('running')
  first.say({ event: 'token expiring' })
  await eventually(() => expect(first.sent.filter((text) => text.includes('"auth"'))).toHaveLength(2))
  expect(FakeSocket.all).toHaveLength(1)
})

test('a suspension outranks what the node says', async () => {
  open({ suspended: true, status: 'suspended' })
  const first = await socket()
  first.admit('running')
  // The node's lines are drawn by then.
  await press('page')
  await page.see('.log')
  expect(page.find('.sign')?.textContent).toBe('suspended')
  expect(page.client.getQueryData<Server[]>(keys.servers)?.[0]?.status).toBe('suspended')
  expect(page.client.getQueryData<Server>(keys.server(SHOWN_SERVER_ID))?.status).toBe('suspended')
})

test('without the permission to read the console no token is asked for', async () => {
  open({ permissions: ['file.list'], status: 'running' })
  await page.see('.sign', 'running')
  expect(page.calls.map(({ name }) => name)).not.toContain(`GET /api/server/${SHOWN_SERVER_ID}/ws`)
  expect(FakeSocket.all).toEqual([])
})

test('a link whose machine was away opens as soon as the site knows that it is back', async () => {
  open({ status: 'nodeoffline' })
  const first = await socket()
  // The next attempt by itself, after a second or more, never comes.
  const { setTimeout: soon } = globalThis
  const never = (act: () => void, ms?: number) => soon(Number(ms) < 500 ? act : () => undefined, ms)
  vi.spyOn(window, 'setTimeout').mockImplementation(never as typeof setTimeout)
  first.onclose({ code: 1006, wasClean: false })
  await page.see('.sign', 'nodeoffline')
  page.client.setQueryData<Server>(keys.server(SHOWN_SERVER_ID), (server) => server && { ...server, status: 'offline' })
  await eventually(() => expect(FakeSocket.all).toHaveLength(2))
})
