import * as initial from './20261121_011106_initial.ts'

/** In the order they run; `name` is what the migrations table records. */
export const migrations = [{ name: '20261121_011106_initial', up: initial.up, down: initial.down }]
