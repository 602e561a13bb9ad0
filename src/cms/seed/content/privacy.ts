import type { Block } from './rich-text.ts'

const hu: readonly Block[] = [
  {
    text: 'Ez a tájékoztató leírja, milyen adataidat kezeljük, miért és meddig. Az adatkezelő az oldal alján megnevezett cég.',
  },
  { heading: 'Milyen adatokat kezelünk' },
  {
    list: [
      'Fiók: felhasználónév, e-mail-cím, a jelszó visszafejthetetlen lenyomata, nyelv.',
      'Számlázás: név, cím, telefonszám, ha megadod; a fizetések és a számlák adatai.',
      'Biztonság: a bejelentkezések ideje, IP-címe és a böngésző megnevezése.',
      'A szervereid fájljai és konzolja: ezekhez csak hibaelhárításkor, a kérésedre nyúlunk.',
    ],
  },
  { heading: 'Miért és meddig' },
  {
    list: [
      'A fiók és a szerverek adatait a szerződés teljesítéséhez kezeljük, amíg a fiók fennáll.',
      'A számlákat a számviteli törvény szerint 8 évig őrizzük meg.',
      'A biztonsági naplót 180 napig, a műszaki naplókat 30 napig őrizzük meg.',
    ],
  },
  { heading: 'Sütik' },
  {
    text: 'Csak a működéshez feltétlenül szükséges sütiket használunk: a bejelentkezésedet és a választott nyelvet jegyzik meg. Követő és hirdetési süti nincs.',
  },
  { heading: 'A jogaid' },
  {
    text: 'Kérheted az adataid másolatát, helyesbítését és törlését, és tiltakozhatsz a kezelésük ellen. Írj e-mailt; egy hónapon belül válaszolunk. Panaszoddal a Nemzeti Adatvédelmi és Információszabadság Hatósághoz fordulhatsz.',
  },
]

const en: readonly Block[] = [
  {
    text: 'This policy explains which personal data we process, why, and for how long. The controller is the company named at the foot of the page.',
  },
  { heading: 'What we process' },
  {
    list: [
      'Account: username, e-mail address, a one-way hash of your password, language.',
      'Billing: name, address and phone number if you give them; payment and invoice data.',
      'Security: the time, IP address and browser of each sign-in.',
      'The files and console of your servers: we look at them only when you ask us to solve a problem.',
    ],
  },
  { heading: 'Why, and for how long' },
  {
    list: [
      'We need the data of your account and servers to perform the contract, for as long as the account exists.',
      'We keep invoices for 8 years, as the Accounting Act requires.',
      'We keep the security log for 180 days and technical logs for 30 days.',
    ],
  },
  { heading: 'Cookies' },
  {
    text: 'We only use cookies that the site cannot work without: they remember your sign-in and your language. There are no tracking or advertising cookies.',
  },
  { heading: 'Your rights' },
  {
    text: 'You may ask us for a copy of your data, have it corrected or deleted, and object to its use. Write us an e-mail; we answer within a month. You can complain to the Hungarian data protection authority (NAIH) or to the authority of your own country.',
  },
]

const de: readonly Block[] = [
  {
    text: 'Diese Erklärung sagt, welche deiner Daten wir verarbeiten, wozu und wie lange. Verantwortlich ist die am Fuß der Seite genannte Firma.',
  },
  { heading: 'Welche Daten wir verarbeiten' },
  {
    list: [
      'Konto: Benutzername, E-Mail-Adresse, ein nicht umkehrbarer Hash des Passworts, Sprache.',
      'Abrechnung: Name, Anschrift und Telefonnummer, wenn du sie angibst; Daten der Zahlungen und Rechnungen.',
      'Sicherheit: Zeit und IP-Adresse der Anmeldungen und der Name des Browsers.',
      'Dateien und Konsole deiner Server: Wir sehen sie nur auf deinen Wunsch an, um ein Problem zu lösen.',
    ],
  },
  { heading: 'Wozu und wie lange' },
  {
    list: [
      'Die Daten des Kontos und der Server brauchen wir für den Vertrag, solange das Konto besteht.',
      'Rechnungen bewahren wir nach dem Rechnungslegungsgesetz 8 Jahre auf.',
      'Das Sicherheitsprotokoll bleibt 180 Tage, technische Protokolle 30 Tage.',
    ],
  },
  { heading: 'Cookies' },
  {
    text: 'Wir verwenden nur Cookies, ohne die die Seite nicht funktioniert: Sie merken sich deine Anmeldung und deine Sprache. Tracking- oder Werbe-Cookies gibt es nicht.',
  },
  { heading: 'Deine Rechte' },
  {
    text: 'Du kannst eine Kopie, die Berichtigung oder die Löschung deiner Daten verlangen und ihrer Verarbeitung widersprechen. Schreib uns eine E-Mail; wir antworten innerhalb eines Monats. Beschwerden nimmt die ungarische Datenschutzbehörde (NAIH) oder die deines Landes an.',
  },
]

export const privacy = { en, hu, de }
