// `npm test`. An older Node cannot even parse the rest, so it is imported after the check.
import { refuseOtherPlatforms } from './start/platform.mjs'

refuseOtherPlatforms()
import('./suites/run-suites.mjs')
