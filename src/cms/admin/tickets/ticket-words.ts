import type { TicketEvent } from '#contracts/http/ticket.ts'
import type { TicketState } from '#domain/tickets/ticket-state.ts'
import { words, type Words } from '../../fields/languages.ts'

export const states: Readonly<Record<TicketState, Words>> = {
  open: words('Open', 'Nyitott', 'Offen'),
  'waiting for response': words('Waiting for reply', 'Válaszra vár', 'Wartet auf Antwort'),
  closed: words('Closed', 'Lezárva', 'Geschlossen'),
}

/** The lines of a ticket that are no messages. `{who}` did it, `{about}` is a person, a category, a ticket or a server. */
export const events: Readonly<Record<TicketEvent, Words>> = {
  closed: words('{who} closed the ticket', '{who} lezárta a hibajegyet', '{who} hat das Ticket geschlossen'),
  reopened: words(
    '{who} reopened the ticket',
    '{who} újranyitotta a hibajegyet',
    '{who} hat das Ticket wieder geöffnet',
  ),
  assigned: words(
    '{who} assigned the ticket to {about}',
    '{who} hozzárendelte a hibajegyet: {about}',
    '{who} hat das Ticket zugewiesen: {about}',
  ),
  moved: words(
    '{who} moved the ticket to {about}',
    '{who} áthelyezte a hibajegyet ide: {about}',
    '{who} hat das Ticket verschoben nach: {about}',
  ),
  'person added': words('{who} added {about}', '{who} hozzáadta: {about}', '{who} hat {about} hinzugefügt'),
  'merged into': words(
    '{who} merged this ticket into #{about}',
    '{who} összevonta ezt a hibajegyet ezzel: #{about}',
    '{who} hat dieses Ticket mit #{about} zusammengeführt',
  ),
  'merged from': words(
    '{who} merged #{about} into this ticket',
    '{who} ezzel vonta össze a következő hibajegyet: #{about}',
    '{who} hat #{about} in dieses Ticket übernommen',
  ),
  'test server granted': words(
    '{who} granted a free one-day test server: {about}',
    '{who} ingyenes, egynapos tesztszervert adott: {about}',
    '{who} hat einen kostenlosen Testserver für einen Tag gewährt: {about}',
  ),
  'person removed': words('{who} removed {about}', '{who} eltávolította: {about}', '{who} hat {about} entfernt'),
}

export const texts = {
  tickets: words('Tickets', 'Hibajegyek', 'Tickets'),
  ticket: words('Ticket', 'Hibajegy', 'Ticket'),
  categories: words('Categories', 'Kategóriák', 'Kategorien'),
  savedReplies: words('Saved replies', 'Mentett válaszok', 'Gespeicherte Antworten'),
  figures: words('Figures', 'Számok', 'Zahlen'),
  category: words('Category', 'Kategória', 'Kategorie'),
  opener: words('Opened by', 'Megnyitotta', 'Geöffnet von'),
  assignee: words('Assignee', 'Felelős', 'Zuständig'),
  nobody: words('Unassigned', 'Nincs felelős', 'Nicht zugewiesen'),
  take: words('Take', 'Átveszem', 'Übernehmen'),
  openServer: words('Open server', 'Szerver megnyitása', 'Server öffnen'),
  showServer: words('Show server', 'Szerver megjelenítése', 'Server anzeigen'),
  mergedInto: words('Merged into #{number}', 'Összevonva ezzel: #{number}', 'Zusammengeführt mit #{number}'),
  erased: words('deleted account', 'törölt fiók', 'gelöschtes Konto'),
  taken: words('{who} took the ticket', '{who} átvette a hibajegyet', '{who} hat das Ticket übernommen'),
  unassigned: words(
    '{who} unassigned the ticket',
    '{who} levette a felelőst a hibajegyről',
    '{who} hat die Zuweisung aufgehoben',
  ),
  asOf: words('As of {time}', 'Frissítve: {time}', 'Stand: {time}'),
  stale: words(
    'Not updated since {time}. Trying again…',
    '{time} óta nem frissült. Újrapróbálkozás…',
    'Seit {time} nicht aktualisiert. Neuer Versuch…',
  ),
} as const
