import { GameDig } from 'gamedig'

export const MINECRAFT_QUERY = 'protocol-minecraftvanilla'

export interface GamedigAnswer {
  /** The line in a client's list of servers. */
  readonly greeting: string
  readonly online: number
  readonly max: number
  readonly names: readonly string[]
}

type Description = string | { readonly text?: string } | undefined
type Said = {
  readonly raw: { readonly description?: Description }
  readonly numplayers: number
  readonly maxplayers: number
  readonly players: readonly { readonly name: string }[]
}

const textOf = (description: Description): string =>
  typeof description === 'string' ? description : (description?.text ?? '')

/** The answer of gamedig about a Minecraft server when nobody of ours stands between. */
export async function askGamedig(port: number, ip = '127.0.0.1'): Promise<GamedigAnswer> {
  const said = (await GameDig.query({
    type: MINECRAFT_QUERY,
    host: ip,
    address: ip,
    port,
    givenPortOnly: true,
    maxRetries: 1,
    socketTimeout: 30_000,
    attemptTimeout: 30_000,
    stripColors: true,
  })) as unknown as Said
  return {
    greeting: textOf(said.raw.description),
    online: said.numplayers,
    max: said.maxplayers,
    names: said.players.map(({ name }) => name),
  }
}
