import type { Kube } from '../client.ts'
import { KubeError } from '../errors.ts'

/** Ms for which an answer is valid. A new connection, which may lead elsewhere, ends it earlier. */
const provenMs = 5000

/** Permits writes only to the cluster that is known to be the environment's. */
export interface Proof {
  /**
   * `null`: not known yet, so nothing is written; undefined: any cluster will do. Returns whether another one was
   * required before.
   */
  expect: (uid: string | null | undefined) => boolean
  /** Makes the next write check again. */
  doubt: () => void
  /** Throws if the cluster is another one, or which one it is has not been read yet. */
  beforeWrite: () => Promise<void>
}

export function openProof(kube: () => Kube, server: () => string): Proof {
  let expected: string | null | undefined
  let until = 0
  const doubt = () => {
    until = 0
  }
  return {
    expect: (uid) => {
      const before = expected
      expected = uid
      if (uid === before) return false
      doubt()
      return typeof before === 'string' && typeof uid === 'string'
    },
    doubt,
    beforeWrite: async () => {
      if (expected === undefined || Date.now() < until) return
      if (expected === null) throw new KubeError('unidentified', server(), 'it was not read yet which cluster this is')
      const wanted = expected
      const found = await kube().uid()
      if (found !== wanted)
        throw new KubeError('another', server(), `the cluster ${found} answers in place of ${wanted}`)
      until = Date.now() + provenMs
    },
  }
}
