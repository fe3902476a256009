import { reviews } from '@gantry/contract/pipelines/reviews'

/** What people are asked about a build: whether it may begin, or one of its stages. */
export type Question = { pipelineId: number; number: number } & (
  | { kind: 'review' | 'fork' }
  /** `start`: a stage that begins by hand. */
  | { kind: 'approval' | 'start'; stage: string }
)

export interface Deciding {
  question: Question
  pass: boolean
}

/** The call for a stage asks for one of two permissions, by what is asked: each is that of a question about a whole build. */
export const needsOf = ({ kind }: Question) => (kind === 'fork' || kind === 'start' ? reviews.passFork : reviews.decide)
