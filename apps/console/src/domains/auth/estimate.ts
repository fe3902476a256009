import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import * as common from '@zxcvbn-ts/language-common'

const estimator = new ZxcvbnFactory({ dictionary: common.dictionary, graphs: common.adjacencyGraphs })

/** zxcvbn's score, 0 to 4, with the same word lists as the server's. */
export const estimate = (password: string): number => estimator.check(password).score
