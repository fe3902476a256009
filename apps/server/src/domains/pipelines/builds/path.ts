interface Place {
  teamId: number
  groupId: number
  pipelineId: number
  number: number
}

/** The screen of a build, below the public address. */
export const pathOfBuild = ({ teamId, groupId, pipelineId, number }: Place): string =>
  `/teams/${teamId}/cd/pipeline_group_id/${groupId}/pipeline_id/${pipelineId}/history/${number}/info`
