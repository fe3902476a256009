import type { PermissionModule } from '@gantry/contract/auth/session'

export type Preset = 'trigger' | 'read' | 'all'

/** The permissions that a hook or a script needs to start and follow builds. */
const trigger = ['pipeline_pipeline_view', 'pipeline_build_view', 'pipeline_build_execute']

/** The permissions of a preset, limited to those that the creator has in the team. */
export function chosenBy(
  preset: Preset,
  modules: readonly PermissionModule[],
  may: (name: string) => boolean,
): ReadonlySet<string> {
  const permitted = modules.flatMap(({ permissions }) => permissions.filter(({ name }) => may(name)))
  const wanted = permitted.filter(
    ({ name, type }) => preset === 'all' || (preset === 'read' ? type === 'view' : trigger.includes(name)),
  )
  return new Set(wanted.map(({ name }) => name))
}
