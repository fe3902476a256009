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

/** The path of a service's page in the console. */
export const pathOfService = ({ teamId, envId, stackId, stackUuid, stackName, id, name, type }: Place): string => {
  const parts = [envId, 'stack', stackId, stackUuid, stackName, 'services', id, name, type]
  return `/teams/${teamId}/appcenter/env/${parts.map(encodeURIComponent).join('/')}/containers/from/appcenter`
}
