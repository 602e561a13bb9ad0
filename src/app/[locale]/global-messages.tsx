'use client'
import { loadMessages, tellDismissed } from '@/lib/messages/load-messages.ts'
import { MessageBar } from '@/lib/messages/message-bar.tsx'

/** The global messages, above each page of the site. */
export const GlobalMessages = ({ locale, words }: { locale: string; words: { label: string; close: string } }) => (
  <MessageBar load={loadMessages} tell={tellDismissed} locale={locale} words={words} />
)
