'use client'

import { useTranslation } from '@payloadcms/ui'
import { isLocale } from '@/i18n/locales.ts'
import { loadMessages, tellDismissed } from '@/lib/messages/load-messages.ts'
import { MessageBar } from '@/lib/messages/message-bar.tsx'
import { words } from '../fields/languages.ts'

const label = words('Messages', 'Üzenetek', 'Nachrichten')
const close = words('Close', 'Bezárás', 'Schließen')

/** Messages to staff and global messages, above the pages of the admin. */
export const AdminMessages = () => {
  const { language } = useTranslation().i18n
  const locale = isLocale(language) ? language : 'en'
  return (
    <MessageBar
      load={loadMessages}
      tell={tellDismissed}
      locale={locale}
      words={{ label: label[locale], close: close[locale] }}
    />
  )
}
