const DAY_MS = 86_400_000
/** Days for which the voting of the demo runs. */
const RUNS_DAYS = 30

/** The voting of the demo, which runs from the seed on. */
export const votingAt = (nowMs: number) => ({
  question: {
    hu: 'Melyik játékhoz legyen legközelebb kész csomagunk?',
    en: 'Which game should we offer next?',
    de: 'Welches Spiel sollen wir als Nächstes anbieten?',
  },
  options: [
    {
      text: {
        hu: 'Palworld: közös bázis, szelídített lények',
        en: 'Palworld: a shared base and tamed creatures',
        de: 'Palworld: eine gemeinsame Basis und gezähmte Wesen',
      },
    },
    {
      text: {
        hu: 'Rust: nagy térkép, havi újrakezdés',
        en: 'Rust: a large map that restarts every month',
        de: 'Rust: eine große Karte, die jeden Monat neu beginnt',
      },
    },
    {
      text: {
        hu: 'Valheim: tíz barát, egy szigetvilág',
        en: 'Valheim: ten friends and one archipelago',
        de: 'Valheim: zehn Freunde und eine Inselwelt',
      },
    },
    {
      text: {
        hu: 'Satisfactory: gyár, ami sosem alszik',
        en: 'Satisfactory: a factory that never sleeps',
        de: 'Satisfactory: eine Fabrik, die nie schläft',
      },
    },
  ],
  endsAt: new Date(nowMs + RUNS_DAYS * DAY_MS).toISOString(),
  active: true,
})
