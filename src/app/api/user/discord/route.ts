import { nextPath } from '@/features/users/next-path.ts'
import { setCookie } from '@/identity/cookies.ts'
import { discordSetting, identity } from '@/identity/dependencies.ts'
import { beginDiscordLink, readDiscordLink, unlinkDiscord } from '@/identity/discord-link.ts'
import { ApiError } from '@/lib/api-error.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { siteSettings } from '@/lib/site/env.ts'

export const GET = apiHandler('GET /api/user/discord', async ({ subject }) => {
  const [link, setting] = await Promise.all([readDiscordLink(identity().db, subject.userId), discordSetting()])
  return {
    body: {
      available: setting !== null,
      link: link && { name: link.name, linkedAt: link.linkedAt.toISOString() },
    },
  }
})

export const POST = apiHandler('POST /api/user/discord', async ({ subject, input }) => {
  const setting = await discordSetting()
  if (setting === null) throw new ApiError('DISCORD_UNAVAILABLE')
  const { url, browser } = await beginDiscordLink(identity(), setting, { subject, next: nextPath(input.next) })
  return { body: { url }, cookies: [setCookie('discord', browser, siteSettings().isSecure)] }
})

export const DELETE = apiHandler('DELETE /api/user/discord', async (call) => {
  await unlinkDiscord(identity(), call.subject.userId, call)
  return { body: {} }
})
