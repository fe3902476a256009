import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { endInside } from '../src/network/inside.ts'

/** Ends the networks that an agent left for its next process while a build went on; a test has no next one. */
export function endLeftNetworks(agentDir: string): void {
  const folder = join(agentDir, 'net')
  if (existsSync(folder)) for (const slot of readdirSync(folder)) endInside(join(folder, slot))
}
