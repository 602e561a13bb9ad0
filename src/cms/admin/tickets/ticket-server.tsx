'use client'

import type { ServerContext } from '#contracts/http/desk/server-context.ts'
import { STATUS_BY_WORD } from '#domain/servers/status.ts'
import { words } from '../../fields/languages.ts'
import { Facts, type Fact } from '../money/facts.tsx'
import { common } from '../money/money-words.ts'
import { useAdminLanguage } from '../money/use-admin-language.ts'
import { serverStates, serverTroubles } from './server-words.ts'

const own = {
  title: words('Server details from the customer', 'Az ügyfél szerverének adatai', 'Serverdaten des Kunden'),
  asThen: words(
    'As they were when the ticket was opened, without addresses and secrets.',
    'A hibajegy megnyitásakor, címek és titkok nélkül.',
    'Stand beim Öffnen des Tickets, ohne Adressen und Geheimnisse.',
  ),
  server: words('Server', 'Szerver', 'Server'),
  game: words('Game', 'Játék', 'Spiel'),
  log: words(
    'Last lines before the crash of {time}',
    'Az utolsó sorok az összeomlás előtt ({time})',
    'Letzte Zeilen vor dem Absturz am {time}',
  ),
}

/** Shows the facts of a server that a customer sent with the ticket, folded at first. */
export const TicketServer = ({ server }: { readonly server: ServerContext }) => {
  const { say, moment } = useAdminLanguage()
  const { name, identifier, game, template, version, status, errors, log } = server
  const facts: readonly Fact[] = [
    [say(own.server), `${name} #${identifier}`],
    [say(own.game), [game, template, version].filter(Boolean).join(' · ')],
    [say(common.state), say(serverStates[STATUS_BY_WORD[status].label])],
  ]
  return (
    <details className="bakter-sent-server">
      <summary>
        {say(own.title)}: {name}
      </summary>
      <p className="bakter-quiet">{say(own.asThen)}</p>
      <Facts lines={facts} />
      {errors.length === 0 ? null : (
        <ul className="bakter-troubles">
          {errors.map(({ type, at, reason }) => (
            <li key={`${type} ${at}`}>
              {say(serverTroubles[type])}
              {reason === null ? null : `: ${reason}`} <time dateTime={at}>{moment(at)}</time>
            </li>
          ))}
        </ul>
      )}
      {log === null ? null : (
        <>
          <p className="bakter-quiet">{say(own.log).replace('{time}', moment(log.at))}</p>
          <pre role="region" aria-label={say(own.log).replace('{time}', moment(log.at))} tabIndex={0}>
            {log.lines.join('\n')}
          </pre>
        </>
      )}
    </details>
  )
}
