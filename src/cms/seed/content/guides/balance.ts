import type { GuideSeed } from './guide-seed.ts'

/** Guides to the balance. */
export const balanceGuides: readonly GuideSeed[] = [
  {
    slug: 'top-up',
    en: {
      title: 'Top up your balance',
      summary: "How to pay in, when the money arrives, and what to do if it doesn't.",
      words: 'pay payment money card deposit missing not arrived pending failed debt owe',
      body: [
        {
          steps: [
            'Open [Balance](/dashboard/balance/summary), choose an amount of at least 500 Ft and a payment method.',
            "Follow the payment provider's page. When you come back, you see whether the payment went through.",
            'The money is in your balance as soon as the provider confirms it. You can leave the page meanwhile.',
          ],
        },
        {
          text: "A top-up that shows “Pending” is still waiting for the provider. Open its line under “Transactions”: from there you can continue or cancel it. If you cancelled it or it failed, your balance doesn't change.",
        },
        {
          text: "If your bank charges back a payment whose money you've already spent, the difference is a debt. Your next top-up pays it off first.",
        },
      ],
    },
    hu: {
      title: 'Az egyenleg feltöltése',
      summary: 'Hogyan fizess be, mikor érkezik meg a pénz, és mit tegyél, ha nem jön.',
      words: 'fizetés befizetés pénz bankkártya utalás nem érkezett meg függőben sikertelen tartozás hiányzik',
      body: [
        {
          steps: [
            'Nyisd meg az [Egyenleg](/dashboard/balance/summary) oldalt, válassz legalább 500 Ft-os összeget és fizetési módot.',
            'Kövesd a fizetési szolgáltató oldalát. Amikor visszatérsz, látod, sikerült-e a fizetés.',
            'A pénz akkor kerül az egyenlegedre, amikor a szolgáltató visszaigazolja. Közben elhagyhatod az oldalt.',
          ],
        },
        {
          text: 'A „Folyamatban” jelölésű feltöltés még a szolgáltatóra vár. Nyisd meg a sorát a „Tranzakciók” között: onnan folytathatod vagy lemondhatod. Ha lemondtad vagy nem sikerült, az egyenleged nem változik.',
        },
        {
          text: 'Ha a bankod visszaterhel egy olyan fizetést, amelyet már elköltöttél, a különbség tartozás lesz. A következő feltöltésed először ezt rendezi.',
        },
      ],
    },
    de: {
      title: 'Guthaben aufladen',
      summary: 'Wie du einzahlst, wann das Geld ankommt und was du tust, wenn es ausbleibt.',
      words: 'zahlung bezahlen einzahlen geld karte nicht angekommen fehlgeschlagen ausstehend schulden fehlt',
      body: [
        {
          steps: [
            'Öffne [Guthaben](/dashboard/balance/summary), wähle einen Betrag ab 500 Ft und eine Zahlungsart.',
            'Folge der Seite des Zahlungsanbieters. Wenn du zurückkommst, siehst du, ob die Zahlung geklappt hat.',
            'Das Geld ist auf deinem Guthaben, sobald der Anbieter es bestätigt. Die Seite kannst du solange verlassen.',
          ],
        },
        {
          text: 'Eine Aufladung mit dem Status „Offen“ wartet noch auf den Anbieter. Öffne ihre Zeile unter „Transaktionen“: Von dort kannst du sie fortsetzen oder abbrechen. Ist sie abgebrochen oder fehlgeschlagen, bleibt dein Guthaben unverändert.',
        },
        {
          text: 'Bucht deine Bank eine Zahlung zurück, die du schon ausgegeben hast, wird die Differenz zu einer Schuld. Deine nächste Aufladung begleicht sie zuerst.',
        },
      ],
    },
  },
  {
    slug: 'reserved-amounts',
    en: {
      title: 'Why part of your balance is reserved',
      summary: 'An order reserves its price first and charges it once the server is ready.',
      words: 'hold held blocked frozen less money missing order refund back',
      body: [
        {
          text: "When you order a server, its price is reserved: it still belongs to you, but you can't spend it twice. Once the server is installed, the amount is charged and appears under [Transactions](/dashboard/balance/summary).",
        },
        {
          list: [
            'If the installation fails, the whole amount returns to your balance immediately.',
            "If a resize can't be carried out on the machine, its whole price is refunded and the server keeps running at its previous size.",
          ],
        },
        {
          text: 'Each line of your transactions opens: it shows the period, the calculation and the document that belongs to it.',
        },
      ],
    },
    hu: {
      title: 'Miért foglalt az egyenleged egy része?',
      summary: 'A rendelés előbb lefoglalja az árát, és csak akkor vonja le, amikor a szerver kész.',
      words: 'zárolt zárolás foglalás kevesebb pénz hiányzik rendelés visszatérítés levonás',
      body: [
        {
          text: 'Amikor szervert rendelsz, az árát lefoglaljuk: még a tiéd, de nem költhető el kétszer. Amint a szerver telepítése elkészül, az összeget levonjuk, és megjelenik a [Tranzakciók](/dashboard/balance/summary) között.',
        },
        {
          list: [
            'Ha a telepítés nem sikerül, az egész összeg azonnal visszakerül az egyenlegedre.',
            'Ha a gép nem tudja végrehajtani az átméretezést, a teljes árát visszatérítjük, és a szerver a korábbi méretével fut tovább.',
          ],
        },
        {
          text: 'A tranzakciók minden sora kinyitható: látod az időszakot, a számítást és a hozzá tartozó bizonylatot.',
        },
      ],
    },
    de: {
      title: 'Warum ein Teil deines Guthabens reserviert ist',
      summary: 'Eine Bestellung reserviert zuerst ihren Preis und bucht ihn ab, wenn der Server bereit ist.',
      words: 'gesperrt blockiert weniger geld fehlt bestellung erstattung abbuchung',
      body: [
        {
          text: 'Wenn du einen Server bestellst, wird sein Preis reserviert: Er gehört noch dir, lässt sich aber nicht doppelt ausgeben. Sobald der Server installiert ist, wird der Betrag abgebucht und erscheint unter [Transaktionen](/dashboard/balance/summary).',
        },
        {
          list: [
            'Schlägt die Installation fehl, kommt der ganze Betrag sofort auf dein Guthaben zurück.',
            'Kann die Maschine eine Größenanpassung nicht ausführen, wird ihr ganzer Preis erstattet, und der Server läuft in der bisherigen Größe weiter.',
          ],
        },
        {
          text: 'Jede Zeile deiner Transaktionen lässt sich öffnen: Sie zeigt den Zeitraum, die Berechnung und den zugehörigen Beleg.',
        },
      ],
    },
  },
  {
    slug: 'renewal-and-expiry',
    en: {
      title: 'Renew a server, or let it renew itself',
      summary: 'What automatic renewal charges, and what happens when a server expires.',
      words: 'expired expire extend extension subscription deleted deletion grace period month auto renew',
      body: [
        {
          text: 'You renew a server in its settings for one to six months: open it from [My servers](/dashboard/servers) and go to “Server settings”. The new period begins when the old one ends.',
        },
        {
          list: [
            "Automatic renewal charges one more month a day before the expiry. If your balance isn't enough, we notify you and keep trying.",
            'We remind you 7, 3 and 1 days before the expiry. Choose how under [notifications](/dashboard/settings/notifications).',
            'An expired server stops. You can still read its files, download its folder and renew it for three days; then it is deleted with all its files.',
          ],
        },
        {
          text: 'The [balance](/dashboard/balance/summary) page shows everything that is due in the next 30 days and how long your money lasts.',
        },
      ],
    },
    hu: {
      title: 'Szerver megújítása, kézzel vagy magától',
      summary: 'Mennyit von le az automatikus megújítás, és mi történik, ha lejár egy szerver.',
      words: 'lejárt lejár meghosszabbítás hosszabbítás előfizetés törölték türelmi idő hónap automatikus megújul',
      body: [
        {
          text: 'A szervert a beállításainál újíthatod meg egy–hat hónapra: nyisd meg a [Szervereim](/dashboard/servers) közül, és lépj a „Szerver beállításai” oldalra. Az új időszak akkor kezdődik, amikor a régi véget ér.',
        },
        {
          list: [
            'Az automatikus megújítás egy nappal a lejárat előtt von le még egy hónapot. Ha nem elég az egyenleged, értesítünk, és tovább próbáljuk.',
            '7, 3 és 1 nappal a lejárat előtt emlékeztetünk. Hogy hogyan, azt az [értesítéseknél](/dashboard/settings/notifications) választod ki.',
            'A lejárt szerver leáll. Három napig még megnézheted a fájljait, letöltheted a mappáját és megújíthatod; utána minden fájljával együtt töröljük.',
          ],
        },
        {
          text: 'Az [Egyenleg](/dashboard/balance/summary) oldalon látod, mi esedékes a következő 30 napban, és meddig elég a pénzed.',
        },
      ],
    },
    de: {
      title: 'Server verlängern, selbst oder automatisch',
      summary: 'Was die automatische Verlängerung abbucht und was passiert, wenn ein Server abläuft.',
      words: 'abgelaufen ablaufen abo gelöscht löschung frist monat verlängert ablauf',
      body: [
        {
          text: 'Einen Server verlängerst du in seinen Einstellungen um einen bis sechs Monate: Öffne ihn unter [Meine Server](/dashboard/servers) und geh zu „Servereinstellungen“. Der neue Zeitraum beginnt, wenn der alte endet.',
        },
        {
          list: [
            'Die automatische Verlängerung bucht einen Tag vor dem Ablauf einen weiteren Monat ab. Reicht dein Guthaben nicht, sagen wir dir Bescheid und versuchen es weiter.',
            'Wir erinnern dich 7, 3 und 1 Tag vor dem Ablauf. Wie, wählst du bei den [Benachrichtigungen](/dashboard/settings/notifications).',
            'Ein abgelaufener Server stoppt. Drei Tage lang kannst du seine Dateien noch ansehen, seinen Ordner herunterladen und ihn verlängern; danach wird er mit allen Dateien gelöscht.',
          ],
        },
        {
          text: 'Die Seite [Guthaben](/dashboard/balance/summary) zeigt, was in den nächsten 30 Tagen fällig ist und wie lange dein Geld reicht.',
        },
      ],
    },
  },
  {
    slug: 'invoices-and-receipts',
    en: {
      title: 'Find and download your invoices',
      summary: 'Where your invoices and receipts are, and whose name is on them.',
      words: 'invoice receipt tax vat company billing address pdf csv accountant wrong name',
      body: [
        {
          text: 'Each purchase gets an invoice or a receipt. You receive it by e-mail and find it under [Invoices](/dashboard/balance/invoices), as a PDF or all of them as a table.',
        },
        {
          text: 'Name, address and tax number come from your [billing details](/dashboard/settings#data). There you also choose between invoice and receipt. Check them before you order: a change counts for later documents and not for those already issued.',
        },
        {
          text: 'An invoice needs your name and address: without them you get a receipt. If you withdraw from a contract or get a refund, the document is cancelled or corrected, and the new one refers to it.',
        },
      ],
    },
    hu: {
      title: 'Számlák megkeresése és letöltése',
      summary: 'Hol vannak a számláid és nyugtáid, és kinek a nevére szólnak.',
      words: 'számla nyugta áfa adószám cég céges számlázási cím pdf csv könyvelő rossz név áfás',
      body: [
        {
          text: 'Minden vásárlásodról számla vagy nyugta készül. E-mailben is megkapod, és megtalálod a [Számlák](/dashboard/balance/invoices) oldalon, PDF-ben vagy egyben, táblázatként.',
        },
        {
          text: 'A név, a cím és az adószám a [számlázási adataidból](/dashboard/settings#data) kerül rá. Ott választhatsz számla és nyugta között is. Rendelés előtt ellenőrizd őket: a módosítás a későbbi bizonylatokra érvényes, a már kiállítottakra nem.',
        },
        {
          text: 'A számlához név és cím kell: ezek nélkül nyugtát kapsz. Ha elállsz egy szerződéstől vagy visszatérítést kapsz, a bizonylatot sztornózzuk vagy helyesbítjük, és az új hivatkozik rá.',
        },
      ],
    },
    de: {
      title: 'Rechnungen finden und herunterladen',
      summary: 'Wo deine Rechnungen und Quittungen liegen und auf wen sie lauten.',
      words: 'rechnung quittung beleg steuer mwst firma rechnungsadresse pdf csv buchhaltung falscher name',
      body: [
        {
          text: 'Zu jedem Kauf gibt es eine Rechnung oder eine Quittung. Du bekommst sie per E-Mail und findest sie unter [Rechnungen](/dashboard/balance/invoices), als PDF oder alle zusammen als Tabelle.',
        },
        {
          text: 'Name, Adresse und Steuernummer kommen aus deinen [Rechnungsdaten](/dashboard/settings#data). Dort wählst du auch zwischen Rechnung und Quittung. Prüfe sie vor der Bestellung: Eine Änderung gilt für spätere Belege, nicht für schon ausgestellte.',
        },
        {
          text: 'Eine Rechnung braucht deinen Namen und deine Adresse: Ohne sie bekommst du eine Quittung. Widerrufst du einen Vertrag oder bekommst du eine Erstattung, wird der Beleg storniert oder berichtigt, und der neue verweist darauf.',
        },
      ],
    },
  },
]
