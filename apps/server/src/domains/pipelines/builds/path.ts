interface Place {
  teamId: number
  groupId: number
  pipelineId: number
  number: number
}

/** The path of a build's page below the public address. */
export const pathOfBuild = ({ teamId, groupId, pipelineId, number }: Place): string =>
  `/teams/${teamId}/cd/pipeline_group_id/${groupId}/pipeline_id/${pipelineId}/history/${number}/info`
