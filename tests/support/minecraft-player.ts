import { createBot, type Bot } from 'mineflayer'

export interface MinecraftPlayer {
  readonly chat: readonly string[]
  say(text: string): void
  /** Whether the connection has ended, and why. */
  ended(): string | undefined
  leave(): void
}

/** The newest version that both flying-squid and this client speak. */
const NEWEST = '1.21.4'

/** A real Minecraft client. Resolves once it has joined the world; rejects with the reason that the server shows when it refuses it. */
export async function joinMinecraft(
  port: number,
  username: string,
  { host = '127.0.0.1', version = NEWEST }: { host?: string; version?: string } = {},
): Promise<MinecraftPlayer> {
  const bot: Bot = createBot({ host, port, username, auth: 'offline', version })
  const chat: string[] = []
  let reason: string | undefined
  bot.on('messagestr', (text) => void chat.push(text))
  bot.on('end', (why) => void (reason = why))
  await new Promise<void>((joined, refused) => {
    bot.once('spawn', () => joined())
    bot.once('error', refused)
    bot.once('kicked', (shown) => refused(new Error(String(shown))))
    bot.once('end', (why) => refused(new Error(`The server ended the connection: ${why}`)))
  })
  bot.on('error', (error) => void (reason = error.message))
  return { chat, say: (text) => bot.chat(text), ended: () => reason, leave: () => bot.quit() }
}
