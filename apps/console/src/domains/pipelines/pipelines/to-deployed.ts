import type { DeployedService } from '@gantry/contract/stacks/revisions/deployments'
import { to, type Search, type To } from '../../../ui/link.tsx'

/** A service that a build deployed. What else names its page loads the widgets of stacks too. */
export const toDeployed = (service: DeployedService, search?: Search): To =>
  to(
    'containers',
    {
      env_id: service.envId,
      stack_id: service.stackId,
      stack_uuid: service.stackUuid,
      stack_name: service.stackName,
      service_id: service.id,
      service_name: service.name,
      service_type: service.type,
      from: 'appcenter',
    },
    search,
  )
