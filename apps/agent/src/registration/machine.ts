import { statfsSync } from 'node:fs'
import { arch, availableParallelism, hostname, release, totalmem, type } from 'node:os'
import type { Claimed } from '../protocol.ts'

export type Machine = NonNullable<Claimed['machine']>

/** The facts about this machine that administrators see; in a container with limits, those of the container. */
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
