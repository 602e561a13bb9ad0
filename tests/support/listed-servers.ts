import type { Page, WebSocketRoute } from '@playwright/test'
import type { Server } from '../../src/contracts/http/server.ts'
import type { ServerPlayers } from '../../src/contracts/panel/players.ts'
import { ServerLayout, ServerLayoutChange } from '../../src/contracts/http/server-layout.ts'
import type { ServerWord } from '../../src/domain/servers/status.ts'
import { arranged, changedLayout, EMPTY_LAYOUT } from '../../src/domain/servers/list-layout.ts'
import { PERMISSIONS } from '../../src/contracts/panel/permissions.ts'
import { shownServer } from '../factories/shown-server.ts'

export const listedId = (at: number): string => `019a0000-0000-7000-8000-${String(at).padStart(12, '0')}`

const GAMES = ['minecraft', 'arma', 'csgo', 'conan', 'mta', 'fivem'] as const
const WORDS = ['running', 'offline', 'starting', 'running'] as const

/** A server of a long list; each has a game, a machine and a state that differ from its neighbours'. */
export const listedServer = (at: number, facts: Partial<Server> = {}): Server => {
  const game = GAMES[at % GAMES.length] ?? 'minecraft'
  return shownServer({
    id: listedId(at),
    name: `Server ${String(at).padStart(3, '0')}`,
    status: WORDS[at % WORDS.length] ?? 'running',
    ip: '185.112.14.9',
    port: 25_000 + at,
    computer: { name: `pest-${(at % 3) + 1}`, url: '', proxmox_url: null },
    serviceName: game,
    pictures: { banner: `/pictures/banners/${game}.svg`, icon: `/pictures/icons/${game}.svg` },
    permissions: [...PERMISSIONS],
    ...facts,
  })
}

/**
 * The page's list as a test wants it, with an order that is kept as the control plane keeps it; returns how often the
 * list was read, and the players to answer with. They arrive when `held.players` does.
 */
export async function standInForList(page: Page, servers: readonly Server[], held: { players?: Promise<void> } = {}) {
  const ids = servers.map(({ id }) => id)
  const seen = { reads: 0, players: [] as ServerPlayers[], layout: ServerLayout.parse(arranged(EMPTY_LAYOUT, ids)) }
  await page.route(/\/api\/user\/servers$/, (route) => {
    seen.reads += 1
    return route.fulfill({ json: servers })
  })
  await page.route('**/api/user/player-counts', async (route) => {
    await held.players
    await route.fulfill({ json: seen.players })
  })
  await page.route('**/api/user/server-layout', (route) => {
    if (route.request().method() === 'POST') {
      const result = changedLayout(arranged(seen.layout, ids), ServerLayoutChange.parse(route.request().postDataJSON()))
      if (result.ok) seen.layout = ServerLayout.parse(result.layout)
    }
    return route.fulfill({ json: seen.layout })
  })
  return seen
}

/** Stands in for the gateway, and sends states to the page. */
export async function standInForGateway(page: Page) {
  let socket: WebSocketRoute | undefined
  await page.routeWebSocket(/\/api\/ws\/gateway/, (opened) => {
    socket = opened
  })
  return {
    isOpen: () => socket !== undefined,
    state: (sid: string, state: ServerWord) =>
      socket?.send(JSON.stringify({ event: 'server.state.change', data: { sid, state } })),
  }
}
