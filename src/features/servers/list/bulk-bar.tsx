'use client'
import { FolderInput, Play, Power, RotateCw, Zap } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import type { PowerAction, Server } from '#contracts/http/server.ts'
import { plateText } from '@/lib/format/plate-text.ts'
import { Button, IconButton } from '@/ui/controls/button.tsx'
import { Icon } from '@/ui/signs/icon.tsx'
import { Plate } from '@/ui/signs/plate.tsx'

const POWER = [
  { action: 'start', Drawing: Play },
  { action: 'restart', Drawing: RotateCw },
  { action: 'stop', Drawing: Power },
  { action: 'kill', Drawing: Zap },
] as const
const PLATES_SHOWN = 4

type BulkBarProps = {
  readonly chosen: readonly Server[]
  readonly isRunning: boolean
  readonly onPower: (action: PowerAction) => void
  readonly onGroup: () => void
  readonly onClear: () => void
}

/** The bar of the actions for the selected servers. It stands above the end of the screen and moves nothing. */
export const BulkBar = ({ chosen, isRunning, onPower, onGroup, onClear }: BulkBarProps) => {
  const t = useTranslations('servers')
  // Messages and the end of the page leave it room. By a class: a rule with `:has` is checked again for every state of a row.
  useEffect(() => {
    document.body.classList.add('has-bulk')
    return () => document.body.classList.remove('has-bulk')
  }, [])
  return (
    <div className="sv-bulk" role="toolbar" aria-label={t('list.bulk')}>
      <b className="nw">{t('list.chosen', { count: chosen.length })}</b>
      <span className="row gap-1 grow only-desk" aria-hidden>
        {chosen.slice(0, PLATES_SHOWN).map((server) => (
          <Plate key={server.id} size="xs">
            {plateText(server)}
          </Plate>
        ))}
      </span>
      {POWER.map(({ action, Drawing }) => (
        <Button
          key={action}
          size="s"
          busy={isRunning}
          onClick={() => onPower(action)}
          aria-label={t(`actions.${action}`)}
          title={t(`actions.${action}`)}
        >
          <Drawing className="i" aria-hidden />
          <span className="sv-bulk-word">{t(`actions.${action}`)}</span>
        </Button>
      ))}
      <Button size="s" onClick={onGroup} aria-label={t('list.moveTo')} title={t('list.moveTo')}>
        <FolderInput className="i" aria-hidden />
        <span className="sv-bulk-word">{t('list.moveTo')}</span>
      </Button>
      <IconButton small label={t('list.clear')} icon={<Icon name="close" />} onClick={onClear} />
    </div>
  )
}
