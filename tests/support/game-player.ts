import { connect, type Socket } from 'node:net'

import { onTestFinished } from 'vitest'

import { waitFor } from './wait-for.ts'

/** A player of the small game who receives its messages until the connection ends. */
export interface GamePlayer {
  /** Sends the text and resolves when the game has sent it back. */
  hears(text: string): Promise<void>
  hasLeft(): boolean
}

/** Joins the game at the address; retries until it is accepted. */
export const joinGame = async (address: { host: string; port: number }, name: string): Promise<GamePlayer> => {
  const heard: string[] = []
  let hasLeft = false
  const socket = await waitFor(
    'a player to get in',
    () =>
      new Promise<Socket | undefined>((done) => {
        const attempt = connect(address.port, address.host, () => {
          attempt.write(`${name}\n`)
          done(attempt)
        })
        attempt.once('error', () => done(undefined))
      }),
  )
  socket.setEncoding('utf8')
  socket.on('data', (text: string) => heard.push(...text.trim().split('\n')))
  socket.on('error', () => {})
  socket.on('close', () => {
    hasLeft = true
  })
  onTestFinished(() => void socket.destroy())
  const hears = async (text: string) => {
    socket.write(`${text}\n`)
    await waitFor(`the player to hear ${text}`, () => heard.includes(`<${name}> ${text}`))
  }
  return { hears, hasLeft: () => hasLeft }
}
