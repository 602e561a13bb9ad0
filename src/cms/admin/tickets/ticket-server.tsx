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
  console: words(
    'Last lines of the console, the newest from {time}',
    'A konzol utolsó sorai, a legújabb ekkori: {time}',
    'Letzte Zeilen der Konsole, die neueste vom {time}',
  ),
  removed: words(
    'Lines left out by the customer: {count}',
    'Az ügyfél ennyi sort hagyott ki: {count}',
    'Vom Kunden weggelassene Zeilen: {count}',
  ),
  away: words(
    'The console on the machine could not be reached, so it is not included.',
    'A konzol a gépen nem volt elérhető, ezért a sorai hiányoznak.',
    'Die Konsole auf der Maschine war nicht erreichbar, deshalb fehlt sie.',
  ),
  suspended: words(
    'The server was suspended, so its console is not included.',
    'A szerver fel volt függesztve, ezért a konzol sorai hiányoznak.',
    'Der Server war gesperrt, deshalb fehlt die Konsole.',
  ),
  empty: words('The console had no lines.', 'A konzolon nem voltak sorok.', 'Die Konsole hatte keine Zeilen.'),
}

const SentLog = ({ log }: { readonly log: NonNullable<ServerContext['log']> }) => {
  const { say, moment } = useAdminLanguage()
  const { at, lines, source, removed = 0 } = log
  const title = say(source === 'console' ? own.console : own.log).replace('{time}', moment(at))
  return (
    <>
      <p className="bakter-quiet">{title}</p>
      {removed === 0 ? null : <p className="bakter-quiet">{say(own.removed).replace('{count}', String(removed))}</p>}
      {lines.length === 0 ? null : (
        <pre role="region" aria-label={title} tabIndex={0}>
          {lines.join('\n')}
        </pre>
      )}
    </>
  )
}

/** Shows the facts of a server that a customer sent with the ticket, folded at first. */
export const TicketServer = ({ server }: { readonly server: ServerContext }) => {
  const { say, moment } = useAdminLanguage()
  const { name, identifier, game, template, version, status, errors, log, missing } = server
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
      {missing === null || missing === undefined ? null : <p className="bakter-quiet">{say(own[missing])}</p>}
      {log === null ? null : <SentLog log={log} />}
    </details>
  )
}
