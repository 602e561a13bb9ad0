'use client'
import clsx from 'clsx'
import { useTranslations } from 'next-intl'
import type { CommandPiece } from './command-preview.ts'
import { commandPreview } from './command-preview.ts'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { hiddenSecrets, startedValues } from './draft.ts'
import type { StartupDraft } from './draft.ts'

type PieceProps = { readonly piece: CommandPiece; readonly typed: StartupDraft['typed'] }

const Piece = ({ piece, typed }: PieceProps) => {
  const t = useTranslations('startup.command')
  switch (piece.is) {
    case 'text':
      return piece.text
    case 'value':
      return (
        <span className={clsx('su-filled', piece.name in typed && 'su-filled-typed')}>
          {piece.text === '' ? <i>{t('empty')}</i> : piece.text}
        </span>
      )
    case 'secret':
      return (
        <span className={clsx('su-filled', piece.name in typed && 'su-filled-typed')}>
          <span aria-hidden>••••••••</span>
          <span className="vh">{t('secret')}</span>
        </span>
      )
    case 'node':
      return (
        <span className="su-node">{piece.what === 'program' ? t('program', { name: piece.name }) : t(piece.what)}</span>
      )
    case 'unknown':
      return <span className="su-unknown">{piece.text}</span>
  }
}

const unknownOf = (parts: readonly (readonly CommandPiece[])[]): string | undefined =>
  parts.flat().find((piece) => piece.is === 'unknown')?.text

/** The command of the next start, with the typed values in place. */
export const CommandPanel = ({ draft }: { draft: StartupDraft }) => {
  const t = useTranslations('startup.command')
  const { base, typed } = draft
  const secrets = new Set(hiddenSecrets(draft))
  const values = startedValues(draft)
  const parts = commandPreview(base.command, { memoryMiB: base.memoryMiB, ports: base.ports, values, secrets })
  const unknown = unknownOf(parts)
  return (
    <Panel title={t('title')}>
      <div className="su-command">
        <ol aria-label={t('title')}>
          {parts.map((pieces, part) => (
            <li key={part}>
              <code>
                {pieces.map((piece, index) => (
                  <Piece key={index} piece={piece} typed={typed} />
                ))}
              </code>
            </li>
          ))}
        </ol>
        <h3>{t('environment')}</h3>
        <ul aria-label={t('environment')}>
          {base.variables.map(({ environmentVariable: name }) => (
            <li key={name}>
              <code>
                {name}=
                <Piece
                  piece={secrets.has(name) ? { is: 'secret', name } : { is: 'value', name, text: values[name] ?? '' }}
                  typed={typed}
                />
              </code>
            </li>
          ))}
        </ul>
      </div>
      {unknown === undefined ? null : (
        <p className="small su-unknown-note" role="alert">
          {t('unknown', { name: unknown })}
        </p>
      )}
      <p className="small t2 su-note">{t('note')}</p>
    </Panel>
  )
}
