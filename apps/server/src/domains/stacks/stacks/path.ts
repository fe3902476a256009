interface Place {
  teamId: number
  envId: string
  stackId: number
  stackUuid: string
  stackName: string
  id: number
  name: string
  type: string
}

/** Where the console shows a service. */
export const pathOfService = ({ teamId, envId, stackId, stackUuid, stackName, id, name, type }: Place): string => {
  const parts = [envId, 'stack', stackId, stackUuid, stackName, 'services', id, name, type]
  return `/teams/${teamId}/appcenter/env/${parts.map(encodeURIComponent).join('/')}/containers/from/appcenter`
}
