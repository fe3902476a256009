import type { Outbound } from './outbound/outbound.ts'

/**
 * The outside world as services see it: one port a system, its type in the file of its adapter. `buildPorts` in
 * ../ports.ts makes the real ones; tests put their own in.
 */
export interface Ports {
  outbound: Outbound
}
