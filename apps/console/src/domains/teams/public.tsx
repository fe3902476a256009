import { teams } from '@gantry/contract/teams/teams'
import { ManySelect } from './members/many-select.tsx'

interface TeamsSelectProps {
  id?: string
  value?: readonly number[]
  onChange?: (value: number[]) => void
  /** Teams that cannot be chosen (any more). */
  without?: readonly number[]
}

/** Picks teams. A field of a Form. */
export const TeamsSelect = (field: TeamsSelectProps) => (
  <ManySelect {...field} endpoint={teams.brief} pageSize={50} option={({ id, name }) => ({ value: id, label: name })} />
)

export { PermissionTable } from './roles/permission-table.tsx'
export { permissionName } from './roles/permission-words.ts'
export { SystemRolesDialog } from './roles/system-roles-dialog.tsx'
export { MappingRows } from './members/mapping-rows.tsx'
export { useTeamName } from './teams/use-team-name.ts'
