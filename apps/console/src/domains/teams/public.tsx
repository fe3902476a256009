import { teams } from '@gantry/contract/teams/teams'
import { ManySelect } from './many-select.tsx'

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

export { PermissionTable } from './permission-table.tsx'
export { permissionName } from './permission-words.ts'
export { SystemRolesDialog } from './system-roles-dialog.tsx'
export { MappingRows } from './mapping-rows.tsx'
export { useTeamName } from './use-team-name.ts'
