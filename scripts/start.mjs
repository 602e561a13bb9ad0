// `npm start`. An older Node cannot even parse the rest, so it is imported after the check.
import { refuseOtherPlatforms } from './start/platform.mjs'

refuseOtherPlatforms()
import('./start/start-demo.mjs')
