import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const buffers = (): number => process.memoryUsage().arrayBuffers

/**
 * The most memory that work takes outside the heap. Where that is more than allowed, only what it holds counts, and not
 * what it has let go and the collector has not come to yet.
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
