import { LOG_SHARE_TOKEN, type SharedLog } from '#contracts/http/panel/log-share.ts'
import type { Locale } from '#contracts/locale.ts'
import { controlPlaneAt } from './control-plane-client.ts'
import { siteSettings } from './env.ts'

/** The log behind a link's token; null if there is none, undefined while nobody can say. */
export const readSharedLog = async (token: string, locale: Locale): Promise<SharedLog | null | undefined> => {
  if (!LOG_SHARE_TOKEN.test(token)) return null
  const { controlPlaneUrl: url, internalSecret: secret } = siteSettings()
  try {
    return (
      await controlPlaneAt({ url, secret }).call('shared-log', { token }, { requestId: crypto.randomUUID(), locale })
    ).log
  } catch {
    return undefined
  }
}
