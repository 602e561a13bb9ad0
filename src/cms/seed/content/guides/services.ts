import type { GuideSeed } from './guide-seed.ts'

/** Guides to the offers: renting, sizes, test servers, premium and the wheel. */
export const serviceGuides: readonly GuideSeed[] = [
  {
    slug: 'rent-a-server',
    en: {
      title: 'Rent a server',
      summary: 'Choose a game, a size and a period: the server is installed while you watch.',
      words: 'order buy new minecraft price coupon discount not available verify',
      body: [
        {
          steps: [
            "Confirm your e-mail address if you haven't yet: without it you can't top up or rent.",
            "Choose a game under [Services](/dashboard/services/game). Offers that can't be ordered right now say so.",
            'Enter a name, choose a package or your own size, and for how many months.',
            'Check the price, add a coupon if you have one, and order. The price is taken from your [balance](/dashboard/balance/summary).',
            'Watch the installation in the console. Then choose “Start” and give your friends the address.',
          ],
        },
        {
          text: 'All prices include VAT, and a renewal costs the same. If the installation fails, the whole amount returns to your balance immediately.',
        },
      ],
    },
    hu: {
      title: 'Szerver bérlése',
      summary: 'Válassz játékot, méretet és időszakot: a telepítést élőben követheted.',
      words: 'rendelés vásárlás venni új minecraft ár kupon kedvezmény nem elérhető megerősítés bérelni',
      body: [
        {
          steps: [
            'Erősítsd meg az e-mail-címedet, ha még nem tetted: enélkül nem tölthetsz fel és nem bérelhetsz.',
            'Válassz játékot a [Szolgáltatások](/dashboard/services/game) között. Amelyik most nem rendelhető, arra ki van írva.',
            'Adj nevet a szervernek, válassz csomagot vagy egyedi méretet, és azt, hány hónapra kéred.',
            'Ellenőrizd az árat, add meg a kuponodat, ha van, és rendeld meg. Az ára az [egyenlegedről](/dashboard/balance/summary) kerül le.',
            'Kövesd a telepítést a konzolban. Utána válaszd az „Indítás” gombot, és add meg a címet a barátaidnak.',
          ],
        },
        {
          text: 'Minden ár tartalmazza az áfát, és a megújítás ugyanennyibe kerül. Ha a telepítés nem sikerül, az egész összeg azonnal visszakerül az egyenlegedre.',
        },
      ],
    },
    de: {
      title: 'Server mieten',
      summary: 'Spiel, Größe und Zeitraum wählen: Der Server wird installiert, während du zusiehst.',
      words: 'bestellen kaufen neu minecraft preis gutschein rabatt nicht verfügbar bestätigen',
      body: [
        {
          steps: [
            'Bestätige deine E-Mail-Adresse, falls noch nicht geschehen: Ohne sie kannst du weder aufladen noch mieten.',
            'Wähle unter [Angebote](/dashboard/services/game) ein Spiel. Was gerade nicht bestellbar ist, ist so gekennzeichnet.',
            'Gib einen Namen ein, wähle ein Paket oder eine eigene Größe und für wie viele Monate.',
            'Prüfe den Preis, gib einen Gutschein ein, wenn du einen hast, und bestelle. Der Preis wird von deinem [Guthaben](/dashboard/balance/summary) abgebucht.',
            'Sieh der Installation in der Konsole zu. Wähle danach „Starten“ und gib deinen Freunden die Adresse.',
          ],
        },
        {
          text: 'Alle Preise enthalten die MwSt., und eine Verlängerung kostet dasselbe. Schlägt die Installation fehl, kommt der ganze Betrag sofort auf dein Guthaben zurück.',
        },
      ],
    },
  },
  {
    slug: 'change-the-size',
    en: {
      title: 'Change the package or the size',
      summary: 'More memory now, or a smaller package from the next renewal.',
      words: 'upgrade downgrade ram memory cpu slots bigger larger resize performance slow lag',
      body: [
        {
          text: 'Open the server from [My servers](/dashboard/servers) and go to “Server settings”. Nothing changes before you confirm the price.',
        },
        {
          list: [
            'A server in a package changes to a more expensive one immediately; you pay the difference for the remaining days. Any other package applies from the next renewal.',
            'A server of your own size becomes larger or smaller immediately. A smaller size refunds the difference to your balance.',
            'A running server gets its new size when it restarts.',
          ],
        },
        {
          text: 'If the machine has no room for the larger size, the upgrade fails and you are refunded: the server keeps running as it was.',
        },
      ],
    },
    hu: {
      title: 'Csomag vagy méret váltása',
      summary: 'Több memória azonnal, vagy kisebb csomag a következő megújítástól.',
      words: 'bővítés nagyobb kisebb ram memória cpu hely átméretezés teljesítmény lassú lag csomagváltás',
      body: [
        {
          text: 'Nyisd meg a szervert a [Szervereim](/dashboard/servers) közül, és lépj a „Szerver beállításai” oldalra. Amíg meg nem erősíted az árat, semmi sem változik.',
        },
        {
          list: [
            'A csomagban lévő szerver drágább csomagra azonnal vált; a hátralévő napokra a különbséget fizeted. Bármely másik csomag a következő megújítástól érvényes.',
            'Az egyedi méretű szerver azonnal nagyobb vagy kisebb lesz. Kisebb méretnél a különbség visszakerül az egyenlegedre.',
            'A futó szerver az újraindításakor veszi át az új méretet.',
          ],
        },
        {
          text: 'Ha a gépen nincs hely a nagyobb mérethez, a bővítés sikertelen lesz, és visszatérítjük az árát: a szerver úgy fut tovább, ahogy addig.',
        },
      ],
    },
    de: {
      title: 'Paket oder Größe ändern',
      summary: 'Mehr Arbeitsspeicher sofort, oder ein kleineres Paket ab der nächsten Verlängerung.',
      words: 'upgrade downgrade ram speicher cpu slots größer kleiner leistung langsam lag paketwechsel',
      body: [
        {
          text: 'Öffne den Server unter [Meine Server](/dashboard/servers) und geh zu „Servereinstellungen“. Bevor du den Preis bestätigst, ändert sich nichts.',
        },
        {
          list: [
            'Ein Server in einem Paket wechselt in ein teureres sofort; du zahlst die Differenz für die restlichen Tage. Jedes andere Paket gilt ab der nächsten Verlängerung.',
            'Ein Server mit eigener Größe wird sofort größer oder kleiner. Bei einer kleineren Größe kommt die Differenz auf dein Guthaben zurück.',
            'Ein laufender Server bekommt seine neue Größe beim Neustart.',
          ],
        },
        {
          text: 'Hat die Maschine keinen Platz für die größere Größe, schlägt das Upgrade fehl und du bekommst den Preis zurück: Der Server läuft weiter wie bisher.',
        },
      ],
    },
  },
  {
    slug: 'test-server',
    en: {
      title: 'Try a test server for free',
      summary: 'One day, on request, once for each customer.',
      words: 'trial demo free gratis try before buy',
      body: [
        {
          steps: [
            "Confirm your e-mail address if you haven't yet, then [open a ticket](/dashboard/ticket) and write which game you want to try.",
            'Support creates the server. It runs for one day with everything that a rented one has.',
            'If you like it, buy it in its settings: its files, address and settings stay.',
          ],
        },
        {
          text: "After the day it stops. For three more days you can still buy it or download its folder; then it is deleted. It can't be renewed, and each customer gets one.",
        },
      ],
    },
    hu: {
      title: 'Ingyenes tesztszerver',
      summary: 'Egy napra, kérésre, ügyfelenként egyszer.',
      words: 'próba kipróbálás demo ingyen ingyenes próbaidő teszt',
      body: [
        {
          steps: [
            'Erősítsd meg az e-mail-címedet, ha még nem tetted, majd [nyiss hibajegyet](/dashboard/ticket), és írd meg, melyik játékot szeretnéd kipróbálni.',
            'Az ügyfélszolgálat létrehozza a szervert. Egy napig fut, és mindent tud, amit egy bérelt szerver.',
            'Ha bevált, a beállításainál megveheted: a fájljai, a címe és a beállításai megmaradnak.',
          ],
        },
        {
          text: 'A nap végén leáll. Utána még három napig megveheted vagy letöltheted a mappáját; aztán töröljük. Megújítani nem lehet, és minden ügyfélnek egy jár.',
        },
      ],
    },
    de: {
      title: 'Testserver kostenlos ausprobieren',
      summary: 'Einen Tag lang, auf Anfrage, einmal pro Kunde.',
      words: 'probe demo gratis kostenlos ausprobieren testen',
      body: [
        {
          steps: [
            'Bestätige deine E-Mail-Adresse, falls noch nicht geschehen, [öffne dann ein Ticket](/dashboard/ticket) und schreib, welches Spiel du ausprobieren willst.',
            'Der Support legt den Server an. Er läuft einen Tag und kann alles, was ein gemieteter kann.',
            'Gefällt er dir, kaufe ihn in seinen Einstellungen: Dateien, Adresse und Einstellungen bleiben.',
          ],
        },
        {
          text: 'Nach dem Tag stoppt er. Drei Tage lang kannst du ihn noch kaufen oder seinen Ordner herunterladen; danach wird er gelöscht. Verlängern lässt er sich nicht, und jeder Kunde bekommt einen.',
        },
      ],
    },
  },
  {
    slug: 'premium-and-prize-wheel',
    en: {
      title: 'Premium and the prize wheel',
      summary: 'What a tier brings, and how the weekly draw works.',
      words: 'essentials maximus ultimus discount spin free win coupon fair seed lottery',
      body: [
        {
          text: 'A [premium tier](/dashboard/premium) lowers the price of orders, renewals and resizes, has room for more collaborators and brings more free spins. It lasts 30 days and ends by itself; a different tier can be bought after that.',
        },
        {
          list: [
            'Everyone has one free spin a week on the [prize wheel](/dashboard/spin). Its page lists every prize with its chance.',
            'A won coupon is yours alone: it lowers the first month of a new server and is valid until the date beside it.',
            'Each draw can be verified: we publish the fingerprint of our number before you spin, and the number itself afterwards.',
          ],
        },
      ],
    },
    hu: {
      title: 'Prémium és szerencsekerék',
      summary: 'Mit ad egy szint, és hogyan működik a heti sorsolás.',
      words: 'essentials maximus ultimus kedvezmény pörgetés ingyen nyeremény kupon sorsolás tisztességes',
      body: [
        {
          text: 'A [prémium szint](/dashboard/premium) csökkenti a rendelések, a megújítások és az átméretezések árát, több közreműködőnek ad helyet, és több ingyenes pörgetést hoz. 30 napig tart, és magától véget ér; másik szintet utána vehetsz.',
        },
        {
          list: [
            'Mindenkinek hetente egy ingyenes pörgetése van a [szerencsekeréken](/dashboard/spin). Az oldala minden nyereményt felsorol az esélyével.',
            'A nyert kupon csak a tiéd: egy új szerver első hónapját teszi olcsóbbá, és a mellette álló napig érvényes.',
            'Minden sorsolás ellenőrizhető: a számunk ujjlenyomatát a pörgetés előtt, magát a számot utána tesszük közzé.',
          ],
        },
      ],
    },
    de: {
      title: 'Premium und das Glücksrad',
      summary: 'Was eine Stufe bringt und wie die wöchentliche Ziehung funktioniert.',
      words: 'essentials maximus ultimus rabatt drehung gratis gewinn gutschein fair verlosung',
      body: [
        {
          text: 'Eine [Premium-Stufe](/dashboard/premium) senkt den Preis von Bestellungen, Verlängerungen und Größenanpassungen, hat Platz für mehr Mitwirkende und bringt mehr Gratisdrehungen. Sie gilt 30 Tage und endet von selbst; danach kannst du eine andere kaufen.',
        },
        {
          list: [
            'Alle haben jede Woche eine Gratisdrehung am [Glücksrad](/dashboard/spin). Seine Seite nennt jeden Gewinn mit seiner Chance.',
            'Ein gewonnener Gutschein gehört nur dir: Er senkt den ersten Monat eines neuen Servers und gilt bis zum Datum daneben.',
            'Jede Ziehung lässt sich prüfen: Den Fingerabdruck unserer Zahl zeigen wir vor dem Drehen, die Zahl selbst danach.',
          ],
        },
      ],
    },
  },
]
