import { reviews } from '@gantry/contract/pipelines/reviews'

/** The question about a build: whether it may begin, or one of its stages may. */
export type Question = { pipelineId: number; number: number } & (
  | { kind: 'review' | 'fork' }
  /** `start`: a stage that is started by hand. */
  | { kind: 'approval' | 'start'; stage: string }
)

export interface Deciding {
  question: Question
  pass: boolean
}

/** The call for a stage requires one of two permissions, each that of the same question about a whole build. */
export const needsOf = ({ kind }: Question) => (kind === 'fork' || kind === 'start' ? reviews.passFork : reviews.decide)
