import { statfsSync } from 'node:fs'
import { arch, availableParallelism, hostname, release, totalmem, type } from 'node:os'
import type { Claimed } from '../protocol.ts'

export type Machine = NonNullable<Claimed['machine']>

/** What this machine is, as administrators see it; of a container with a limit, what the container has. */
export function machineOf(dir: string): Machine {
  const { bsize, blocks, bavail } = statfsSync(dir)
  return {
    name: hostname().slice(0, 255),
    system: `${type()} ${release()}`.slice(0, 100),
    architecture: arch(),
    cpus: availableParallelism(),
    memory: Math.min(totalmem(), process.constrainedMemory() || Infinity),
    disk: bsize * blocks,
    diskFree: bsize * bavail,
  }
}
