'use client'

import type { CustomerServer, TicketCustomer } from '#contracts/http/desk/ticket-customer.ts'
import type { Ticket } from '#contracts/http/desk/ticket-entity.ts'
import { SHOWN_STATUS, shownWordOf } from '#domain/servers/status.ts'
import { words } from '../../fields/languages.ts'
import { Facts, type Fact } from '../money/facts.tsx'
import { ReadFailure } from '../money/money-table.tsx'
import { common } from '../money/money-words.ts'
import { useAdminLanguage } from '../money/use-admin-language.ts'
import { serverStates, serverTroubles } from './server-words.ts'
import { serverAnchor } from './test-server/server-link.ts'
import { TestServer } from './test-server/test-server.tsx'
import { useCustomer } from './use-customer.ts'

const own = {
  balance: words('Balance', 'Egyenleg', 'Guthaben'),
  held: words('Reserved', 'Foglalva', 'Reserviert'),
  debt: words('Owed', 'Tartozás', 'Schulden'),
  servers: words('Servers', 'Szerverek', 'Server'),
  noServers: words('No servers.', 'Nincs szervere.', 'Keine Server.'),
  until: words('until {time}', 'eddig: {time}', 'bis {time}'),
  expiredAt: words('expired {time}', 'lejárt: {time}', 'abgelaufen {time}'),
  troubles: words('Latest errors of {server}', '{server} legutóbbi hibái', 'Letzte Fehler von {server}'),
  newestServers: words(
    'These are the newest servers. The customer has more.',
    'Ezek a legújabb szerverek. Az ügyfélnek több is van.',
    'Das sind die neuesten Server. Der Kunde hat noch mehr.',
  ),
}

/** The balance and the servers of a ticket's customer. They are read again by themselves; shown ones stay when that fails. */
export const CustomerFacts = ({
  ticket,
  reload,
}: {
  readonly ticket: Ticket
  readonly reload: () => Promise<unknown>
}) => {
  const { say } = useAdminLanguage()
  const { data, dataUpdatedAt, isError, refetch } = useCustomer(ticket.id)
  const reloadBoth = () => Promise.all([reload(), refetch()])
  return (
    <>
      {isError ? <ReadFailure again={() => void refetch()} /> : null}
      {data === undefined && !isError ? <p role="status">{say(common.loading)}</p> : null}
      {data === undefined || data === null ? null : (
        <>
          <Balance balance={data.balance} />
          <Servers {...data} atMs={dataUpdatedAt} />
          <TestServer ticket={ticket} hadTestServer={data.hadTestServer} reload={reloadBoth} />
        </>
      )}
    </>
  )
}

const Balance = ({ balance: { availableFt, heldFt, debtFt } }: Pick<TicketCustomer, 'balance'>) => {
  const { say, ft } = useAdminLanguage()
  const lines: readonly Fact[] = [
    [say(own.balance), ft(availableFt)],
    ...(heldFt === 0 ? [] : [[say(own.held), ft(heldFt)] as const]),
    ...(debtFt === 0 ? [] : [[say(own.debt), <b key="debt">{ft(debtFt)}</b>] as const]),
  ]
  return <Facts lines={lines} />
}

type ServersProps = Pick<TicketCustomer, 'servers' | 'hasMoreServers'> & { readonly atMs: number }

const Servers = ({ servers, hasMoreServers, atMs }: ServersProps) => {
  const { say } = useAdminLanguage()
  return (
    <>
      <h3>{say(own.servers)}</h3>
      {servers.length === 0 ? <p className="bakter-quiet">{say(own.noServers)}</p> : null}
      {servers.length === 0 ? null : (
        <ul className="bakter-people" aria-label={say(own.servers)}>
          {servers.map((server) => (
            <Server key={server.id} server={server} atMs={atMs} />
          ))}
        </ul>
      )}
      {hasMoreServers ? <p className="bakter-quiet">{say(own.newestServers)}</p> : null}
    </>
  )
}

const Server = ({ server, atMs }: { readonly server: CustomerServer; readonly atMs: number }) => {
  const { say, moment } = useAdminLanguage()
  const { id, name, identifier, expiry, troubles } = server
  const word = shownWordOf(server, atMs)
  const { label, colour } = SHOWN_STATUS[word]
  return (
    <li id={serverAnchor(id)} tabIndex={-1}>
      <span>
        {name} <span className="bakter-quiet">#{identifier}</span>
      </span>
      <b className={colour === 'red' ? 'bakter-fault' : undefined}>{say(serverStates[label])}</b>
      <span className="bakter-quiet">
        {say(Date.parse(expiry) <= atMs ? own.expiredAt : own.until).replace('{time}', moment(expiry))}
      </span>
      {troubles.length === 0 ? null : (
        <ul className="bakter-troubles" aria-label={say(own.troubles).replace('{server}', () => name)}>
          {troubles.map(({ type, at, reason }) => (
            <li key={`${type} ${at}`}>
              {say(serverTroubles[type])}
              {reason === null ? null : `: ${reason}`} <time dateTime={at}>{moment(at)}</time>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
