import { openThread } from '../../../kernel/thread.ts'

/** The minimum: the specification's "strength score at least 2" of zxcvbn's 0 to 4. */
export const leastScore = 2

const ask = openThread<{ password: string; about: string[] }, number>(new URL('strength.worker.ts', import.meta.url))

/**
 * zxcvbn's score from 0 to 4; words about the user count as guessable. In a thread of its own, because loading its
 * dictionaries would block everybody else.
 */
export const scorePassword = (password: string, about: string[]): Promise<number> => ask({ password, about })
