import type { PermissionModule } from '@gantry/contract/auth/session'

export type Preset = 'trigger' | 'read' | 'all'

/** What a hook or a script needs to start a build and to see how it goes. */
const trigger = ['pipeline_pipeline_view', 'pipeline_build_view', 'pipeline_build_execute']

/** What a preset chooses of the permissions that the maker may use in the team. */
export function chosenBy(
  preset: Preset,
  modules: readonly PermissionModule[],
  may: (name: string) => boolean,
): ReadonlySet<string> {
  const held = modules.flatMap(({ permissions }) => permissions.filter(({ name }) => may(name)))
  const wanted = held.filter(
    ({ name, type }) => preset === 'all' || (preset === 'read' ? type === 'view' : trigger.includes(name)),
  )
  return new Set(wanted.map(({ name }) => name))
}
