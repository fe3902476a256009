import { configEntries, configProfiles } from '@gantry/contract/config-centre/profiles'
import { configHistory } from '@gantry/contract/config-centre/history'
import { configProjects } from '@gantry/contract/config-centre/projects'
import { configReaders } from '@gantry/contract/config-centre/readers'
import { configTemplates } from '@gantry/contract/config-centre/templates'

/** What a change of a key shows in. */
export const keyReads = [
  configEntries.list,
  configHistory.list,
  configHistory.compare,
  configProfiles.get,
  configProfiles.list,
  configProjects.list,
  configTemplates.rendered,
  configReaders.list,
] as const
