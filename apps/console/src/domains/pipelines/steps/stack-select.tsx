import { useState } from 'react'
import { stacks, type Stack } from '@gantry/contract/stacks/stacks'
import { useTeamId } from '../../../ui/link.tsx'
import { useRead } from '../../../api/hooks.ts'
import { RemoteSelect } from '../../../ui/form/remote-select.tsx'

interface StackSelectProps {
  id?: string
  /** The stack's UUID. */
  value?: string
  onChange?: (value: string | undefined) => void
  disabled?: boolean
}

const everyCluster = (teamId: number) => ({ params: { teamId, envId: 'all' as const } })

/** The stack of that UUID, among all of the team. */
export function useStack(uuid: string | undefined): Stack | undefined {
  const teamId = useTeamId()
  const query = useRead(
    stacks.list,
    { ...everyCluster(teamId), query: { pageSize: -1 } },
    { enabled: uuid !== undefined && uuid !== '', staleMs: 30_000 },
  )
  return query.data?.items.find((stack) => stack.uuid === uuid)
}

/** Picks a stack of the team, on any cluster. A field of a Form. */
export function StackSelect({ id, value, onChange, disabled = false }: StackSelectProps) {
  const teamId = useTeamId()
  const [picked, setPicked] = useState<Stack>()
  const known = useStack(picked?.uuid === value ? undefined : value)
  const name = (picked?.uuid === value ? picked : known)?.name
  return (
    <RemoteSelect
      {...(id === undefined ? {} : { id })}
      endpoint={stacks.list}
      input={everyCluster(teamId)}
      pageSize={20}
      clearable
      disabled={disabled}
      option={(stack) => ({ value: stack.uuid, label: `${stack.name} (${stack.envName})` })}
      {...(value === undefined || value === '' ? {} : { value })}
      {...(name === undefined ? {} : { valueLabel: name })}
      onChange={(next, stack) => {
        setPicked(stack)
        onChange?.(next)
      }}
    />
  )
}
