import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const buffers = (): number => process.memoryUsage().arrayBuffers

/**
 * Maximum memory outside the heap during the work. Only if it exceeds `allowed`, garbage is collected first, so that
 * only memory in use counts.
 */
export async function heldBy(work: () => Promise<unknown>, allowed: number): Promise<number> {
  collect()
  const before = buffers()
  let most = 0
  const look = () => {
    if (buffers() - before > allowed) collect()
    most = Math.max(most, buffers() - before)
  }
  const looking = setInterval(look, 1)
  await work().finally(() => clearInterval(looking))
  look()
  return most
}
