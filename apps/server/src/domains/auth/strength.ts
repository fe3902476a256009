/** Below it a password is refused: the specification's "strength score at least 2" of zxcvbn's 0 to 4. */
export const leastScore = 2

const load = async () => {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
}

let estimator: ReturnType<typeof load> | undefined

/**
 * zxcvbn's score from 0 to 4; words about the user count as guessable. Its dictionaries take 35 MB, so they are loaded
 * when the first password is chosen.
 */
export async function scorePassword(password: string, about: string[]): Promise<number> {
  const zxcvbn = await (estimator ??= load())
  return zxcvbn.check(password, about).score
}
