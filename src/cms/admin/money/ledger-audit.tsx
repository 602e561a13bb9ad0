'use client'

import { words } from '../../fields/languages.ts'
import { common } from './money-words.ts'
import { useAdminLanguage } from './use-admin-language.ts'
import { useRead } from './use-read.ts'

const texts = {
  right: words('The ledger is consistent.', 'A könyvelés hibátlan.', 'Die Bücher sind fehlerfrei.'),
  checked: words('Last checked {when}.', 'Legutóbbi ellenőrzés: {when}.', 'Zuletzt geprüft {when}.'),
  broken: words('The ledger has errors', 'Hiba a könyvelésben', 'Fehler in den Büchern'),
}

/** The result of the last check of the ledger. */
export const LedgerAudit = () => {
  const { say, moment } = useAdminLanguage()
  const { body: audit, isFailed } = useRead('GET /api/admin/ledger/audit')
  if (isFailed) return <p role="alert">{say(common.failed)}</p>
  if (audit === undefined) return <p className="bakter-quiet">{say(common.loading)}</p>
  const checked = audit.checkedAt === null ? '' : say(texts.checked).replace('{when}', moment(audit.checkedAt))
  if (audit.broken.length === 0) {
    return (
      <p role="status">
        {say(texts.right)} <span className="bakter-quiet">{checked}</span>
      </p>
    )
  }
  return (
    <div role="alert" className="bakter-fault">
      <h2>{say(texts.broken)}</h2>
      <ul>
        {audit.broken.map(({ rule, rows, subject }) => (
          <li key={rule}>
            {rule}: {rows} ({subject})
          </li>
        ))}
      </ul>
    </div>
  )
}
