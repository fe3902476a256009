import { openThread } from '../../../kernel/thread.ts'
import { sourceUrl } from '../../../root.ts'

/** The minimum: the specification's "strength score at least 2" of zxcvbn's 0 to 4. */
export const leastScore = 2

const ask = openThread<{ password: string; about: string[] }, number>(
  sourceUrl('domains/auth/password/strength.worker.ts'),
)

/**
 * zxcvbn's score from 0 to 4; words about the user count as guessable. In a thread of its own, because loading its
 * dictionaries would block everybody else.
 */
export const scorePassword = (password: string, about: string[]): Promise<number> => ask({ password, about })
