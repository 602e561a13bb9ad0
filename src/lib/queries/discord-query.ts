import { queryOptions } from '@tanstack/react-query'
import { DiscordState } from '#contracts/http/privacy.ts'
import { api } from '../browser-client/browser-client.ts'

export const discordQuery = () =>
  queryOptions({
    queryKey: ['discord'],
    queryFn: ({ signal }) => api.call('/api/user/discord', { schema: DiscordState, signal }),
    staleTime: 15_000,
  })

/** False once it is known that there is neither a Discord application nor a link. */
export const isDiscordShown = (state: DiscordState | undefined): boolean =>
  state === undefined || state.available || state.link !== null
