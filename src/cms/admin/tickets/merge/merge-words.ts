import { words } from '../../../fields/languages.ts'

/** The texts of the dialog that merges tickets. */
export const mergeWords = {
  title: words('Merge this ticket', 'Hibajegy összevonása', 'Ticket zusammenführen'),
  text: words(
    'Ticket #{number} is closed for good. The other one takes all its messages, notes and files. You can’t undo this.',
    'A #{number} hibajegy véglegesen lezárul. Minden üzenete, jegyzete és fájlja a másikba kerül. Ez nem vonható vissza.',
    'Ticket #{number} wird endgültig geschlossen. Das andere übernimmt alle Nachrichten, Notizen und Dateien. Das lässt sich nicht rückgängig machen.',
  ),
  find: words(
    'Number, title or words of the other ticket',
    'A másik hibajegy száma, címe vagy szavai',
    'Nummer, Titel oder Wörter des anderen Tickets',
  ),
  list: words('Other tickets of this customer', 'Az ügyfél többi hibajegye', 'Andere Tickets des Kunden'),
  none: words(
    'This customer has no other ticket that matches.',
    'Az ügyfélnek nincs másik ilyen hibajegye.',
    'Der Kunde hat kein anderes passendes Ticket.',
  ),
  choose: words('Choose a ticket first.', 'Előbb válassz hibajegyet.', 'Wähle zuerst ein Ticket.'),
  preview: words('Both tickets', 'A két hibajegy', 'Beide Tickets'),
  closes: words('Is closed', 'Lezárul', 'Wird geschlossen'),
  takes: words('Takes everything', 'Ide kerül minden', 'Übernimmt alles'),
  alone: words(
    'Besides staff, only the customer sees these tickets.',
    'A munkatársakon kívül csak az ügyfél látja ezeket a hibajegyeket.',
    'Außer den Mitarbeitern sieht nur der Kunde diese Tickets.',
  ),
  staff: words(
    'After this, only staff of “{category}” see the messages, notes and files of this ticket.',
    'Ezután ennek a hibajegynek az üzeneteit, jegyzeteit és fájljait csak ennek a kategóriának a munkatársai látják: „{category}”.',
    'Danach sehen nur die Mitarbeiter von „{category}“ die Nachrichten, Notizen und Dateien dieses Tickets.',
  ),
  people: words(
    'These people read all messages of both tickets after this: {names}.',
    'Ők az összevonás után mindkét hibajegy összes üzenetét olvashatják: {names}.',
    'Diese Personen lesen danach alle Nachrichten beider Tickets: {names}.',
  ),
  act: words('Merge tickets', 'Összevonás', 'Zusammenführen'),
  already: words(
    'A colleague merged this ticket before you. It continues here, in #{number}.',
    'Egy munkatársad előbb vonta össze ezt a hibajegyet. Itt folytatódik: #{number}.',
    'Ein Kollege hat dieses Ticket schon vor dir zusammengeführt. Es geht hier in #{number} weiter.',
  ),
  done: words(
    'The ticket was merged into #{number}.',
    'A hibajegy összevonva ezzel: #{number}.',
    'Das Ticket wurde mit #{number} zusammengeführt.',
  ),
} as const
