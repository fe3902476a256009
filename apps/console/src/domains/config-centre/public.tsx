import { configProfiles } from '@gantry/contract/config-centre/profiles'
import { configProjects } from '@gantry/contract/config-centre/projects'
import { configTemplates } from '@gantry/contract/config-centre/templates'
import { RemoteSelect } from '../../ui/form/remote-select.tsx'
import { useTeamId } from '../../ui/link.tsx'

interface SelectProps {
  id?: string
  value?: string
  onChange?: (name: string | undefined) => void
  status?: 'error'
}

/** The value of the field is a name, which is also its label. */
const toSelectProps = ({ value, onChange, ...look }: SelectProps) => ({
  ...look,
  ...(value ? { value, valueLabel: value } : {}),
  ...(onChange ? { onChange } : {}),
})

/** Picks one of the team's configuration projects, by its name. A field of a Form. */
export const ConfigProjectSelect = (p: SelectProps) => (
  <RemoteSelect
    endpoint={configProjects.list}
    input={{ params: { teamId: useTeamId() } }}
    pageSize={10}
    option={({ name }) => ({ value: name, label: name })}
    {...toSelectProps(p)}
  />
)

/** Picks a profile of a project, by its name. */
export const ConfigProfileSelect = ({ project, ...p }: SelectProps & { project: string }) => (
  <RemoteSelect
    endpoint={configProfiles.list}
    input={{ params: { teamId: useTeamId(), name: project } }}
    pageSize={10}
    option={({ name }) => ({ value: name, label: name })}
    {...toSelectProps(p)}
  />
)

/** Picks a template of a project, by its name. */
export const ConfigTemplateSelect = ({ project, ...p }: SelectProps & { project: string }) => (
  <RemoteSelect
    endpoint={configTemplates.list}
    input={{ params: { teamId: useTeamId(), name: project } }}
    pageSize={10}
    option={({ name }) => ({ value: name, label: name })}
    {...toSelectProps(p)}
  />
)
