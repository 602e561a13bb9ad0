import { ServerPlayersList } from '../panel/players.ts'
import { ServerLayout, ServerLayoutChange } from '../http/server-layout.ts'

/** Rows of the API table: how a person arranges the list of servers, and who plays on them. */
export const SERVER_LAYOUT_ROUTES = {
  'GET /api/user/server-layout': {
    summary: "Get the order and the groups of the user's list of servers",
    auth: 'user',
    limit: 'read',
    call: 'server-layout',
    output: ServerLayout,
  },
  'POST /api/user/server-layout': {
    summary: "Change the order or the groups of the user's list of servers",
    auth: 'user',
    limit: 'arranging',
    input: ServerLayoutChange,
    call: 'change-server-layout',
    inputAs: 'change',
    output: ServerLayout,
  },
  'GET /api/user/player-counts': {
    summary: "List how many people play on the user's own and shared servers",
    auth: 'user',
    limit: 'read',
    call: 'player-counts',
    output: ServerPlayersList,
  },
} as const
