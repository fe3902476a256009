import { teams } from '@gantry/contract/teams/teams'
import { ManySelect } from '../../../ui/form/many-select.tsx'
import { RemoteSelect, type RemoteSelectProps } from '../../../ui/form/remote-select.tsx'

interface TeamsSelectProps {
  id?: string
  value?: readonly number[]
  onChange?: (value: number[]) => void
  /** Teams that cannot be chosen. */
  without?: readonly number[]
}

/** Picks teams. A field of a Form. */
export const TeamsSelect = (field: TeamsSelectProps) => (
  <ManySelect {...field} endpoint={teams.brief} pageSize={50} option={({ id, name }) => ({ value: id, label: name })} />
)

interface TeamSelectProps extends Pick<
  RemoteSelectProps<typeof teams.brief, number>,
  'id' | 'value' | 'onChange' | 'valueLabel'
> {
  /** The text for an empty selection. */
  none: string
}

/** Picks one team, or none. A field of a Form. */
export const TeamSelect = ({ none, ...field }: TeamSelectProps) => (
  <RemoteSelect
    {...field}
    clearable
    endpoint={teams.brief}
    pageSize={50}
    placeholder={none}
    option={({ id, name }) => ({ value: id, label: name })}
  />
)
