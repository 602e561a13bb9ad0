'use client'
import { ProfileSettings } from '#contracts/http/user.ts'
import type { Locale } from '@/i18n/locales.ts'
import { switchLanguage } from '@/i18n/switch-language.ts'
import { api } from '../browser-client/browser-client.ts'

/**
 * Stores the account's language, which mails use too, and shows the page in it. Throws ApiFailure without changing
 * anything.
 */
export const choosePersonLanguage = async (language: Locale): Promise<void> => {
  await api.call('/api/user/me', { method: 'PATCH', body: { language }, schema: ProfileSettings })
  switchLanguage(language)
}
