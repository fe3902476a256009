import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { endInside } from '../src/network/inside.ts'

/** An agent that ends while a build goes on leaves the networks of its steps to its next life. Here there is none. */
export function endLeftNetworks(agentDir: string): void {
  const folder = join(agentDir, 'net')
  if (existsSync(folder)) for (const slot of readdirSync(folder)) endInside(join(folder, slot))
}
