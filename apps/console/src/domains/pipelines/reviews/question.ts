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

export const needsOf = ({ kind }: Question) =>
  kind === 'fork' || kind === 'start' ? 'pipeline_build_execute' : 'pipeline_review_operate'
