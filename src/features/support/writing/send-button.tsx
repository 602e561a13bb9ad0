'use client'
import { Send } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Button } from '@/ui/controls/button.tsx'

/** The button of a message box, with its shortcut as a tooltip. */
export const SendButton = ({ busy, children }: { busy: boolean; children: string }) => {
  const t = useTranslations('tickets.writing')
  return (
    <Button type="submit" look="primary" busy={busy} title={t('shortcut')}>
      <Send className="i i-s" aria-hidden />
      {children}
    </Button>
  )
}
