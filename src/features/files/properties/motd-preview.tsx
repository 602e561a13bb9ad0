'use client'
import clsx from 'clsx'
import { Box } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { motdLines } from './motd.ts'

/** How the message looks in the game's server list. */
export const MotdPreview = ({ message, name, players }: { message: string; name: string; players: string }) => {
  const t = useTranslations('files.form')
  return (
    <figure className="motd">
      <figcaption className="vh">{t('motdPreview')}</figcaption>
      <Box className="motd-icon" strokeWidth={1} aria-hidden />
      <div className="motd-text">
        <p className="motd-name">
          <span className="cut">{name}</span>
          {players === '' ? null : <span className="t3">0/{players}</span>}
        </p>
        {motdLines(message).map(({ at: begin, pieces }) => (
          <p key={begin}>
            {pieces.map(({ text, at, color, isBold, isItalic, isUnderlined, isStruck }) => (
              <span
                key={at}
                className={clsx(
                  `motd-${color}`,
                  isBold && 'motd-bold',
                  isItalic && 'motd-italic',
                  isUnderlined && 'motd-underlined',
                  isStruck && 'motd-struck',
                )}
              >
                {text}
              </span>
            ))}
          </p>
        ))}
      </div>
    </figure>
  )
}
