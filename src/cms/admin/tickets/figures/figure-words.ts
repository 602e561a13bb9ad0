import type { FigureDays } from '#domain/tickets/ticket-figures.ts'
import { words, type Words } from '../../../fields/languages.ts'

export const periods: Readonly<Record<FigureDays, Words>> = {
  '7': words('Last 7 days', 'Utolsó 7 nap', 'Letzte 7 Tage'),
  '30': words('Last 30 days', 'Utolsó 30 nap', 'Letzte 30 Tage'),
  '90': words('Last 90 days', 'Utolsó 90 nap', 'Letzte 90 Tage'),
}

export const names = {
  opened: words('Opened', 'Megnyitva', 'Geöffnet'),
  answered: words('Answered', 'Megválaszolva', 'Beantwortet'),
  solved: words('Solved', 'Megoldva', 'Gelöst'),
  unanswered: words('Closed without a reply', 'Válasz nélkül lezárva', 'Ohne Antwort geschlossen'),
  waiting: words('Waiting now', 'Most vár', 'Warten gerade'),
  firstReply: words('First reply', 'Első válasz', 'Erste Antwort'),
  solving: words('Solving time', 'Megoldás ideje', 'Zeit bis zur Lösung'),
  ratings: words('Good ratings', 'Jó értékelések', 'Gute Bewertungen'),
  day: words('Day', 'Nap', 'Tag'),
  person: words('Staff member', 'Munkatárs', 'Mitarbeiter'),
  gone: words('deleted category', 'törölt kategória', 'gelöschte Kategorie'),
}

export const times = {
  half: words('Half: {time} at most', 'Fele: legfeljebb {time}', 'Hälfte: höchstens {time}'),
  most: words('90%: {time} at most', '90%-a: legfeljebb {time}', '90 %: höchstens {time}'),
  few: words('Too few tickets', 'Túl kevés hibajegy', 'Zu wenige Tickets'),
}

export const ratings = {
  share: words('{share} ({good} of {all})', '{share} ({all} közül {good})', '{share} ({good} von {all})'),
  none: words('None yet', 'Még nincs', 'Noch keine'),
}
