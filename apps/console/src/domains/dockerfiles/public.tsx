import { dockerfiles } from '@gantry/contract/dockerfiles/dockerfiles'
import { useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/session.ts'
import { RemoteSelect } from '../../ui/form/remote-select.tsx'
import { useTeamId } from '../../ui/link.tsx'

interface DockerfileSelectProps {
  id?: string
  value?: number
  onChange: (value: number | undefined) => void
  disabled?: boolean
  status?: 'error'
}

/** Picks one of the team's Dockerfiles. */
export function DockerfileSelect({ value, onChange, ...look }: DockerfileSelectProps) {
  const teamId = useTeamId()
  const known = useRead(
    dockerfiles.get,
    { params: { teamId, dockerfileId: value ?? 0 } },
    { enabled: useMay(dockerfiles.get) && value !== undefined },
  )
  return (
    <RemoteSelect
      endpoint={dockerfiles.list}
      input={{ params: { teamId } }}
      pageSize={10}
      option={(one) => ({ value: one.id, label: one.name })}
      {...(value === undefined ? {} : { value })}
      {...(known.data ? { valueLabel: known.data.name } : {})}
      onChange={onChange}
      {...look}
    />
  )
}
