import type { Kube } from '../../../adapters/kube/client.ts'
import type { Ref } from '../../../adapters/kube/objects.ts'

export interface RunOptions {
  container: string
  /** Program and arguments; never a shell command line. */
  command: readonly [string, ...string[]]
  /** Output beyond so many bytes is not read, and the program is abandoned. */
  most: number
  signal: AbortSignal
}

export interface Ran {
  code: number
  message: string
  out: Buffer
  err: string
  /** Whether there was more output than `most`. */
  cut: boolean
}

/** How many bytes of a program's error output are kept. */
export const maxErrorBytes = 4096

/** Runs a program in a container to its end, and returns its output. */
export async function runIn(kube: Kube, pod: Ref, { most, ...options }: RunOptions): Promise<Ran> {
  const session = await kube.exec(pod, options)
  const out: Buffer[] = []
  let [size, err, cut] = [0, '', false]
  for await (const { from, bytes } of session.output) {
    if (from === 'err') err = (err + bytes.toString('utf8')).slice(0, maxErrorBytes)
    else if (size + bytes.length > most) {
      out.push(bytes.subarray(0, most - size))
      cut = true
      session.close()
      break
    } else {
      out.push(bytes)
      size += bytes.length
    }
  }
  if (cut) return { code: 0, message: '', out: Buffer.concat(out), err, cut }
  return { ...(await session.ended), out: Buffer.concat(out), err, cut }
}
