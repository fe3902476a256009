import { buildImages } from '@gantry/contract/build-images/build-images'
import { useRead } from '../../api/hooks.ts'
import { RemoteSelect } from '../../ui/form/remote-select.tsx'
import { useTeamId } from '../../ui/link.tsx'

interface BuildImageSelectProps {
  id?: string
  label?: string
  value?: number
  onChange: (value: number | undefined) => void
  disabled?: boolean
  status?: 'error'
}

/** Picks one of the images that jobs of the team can run in, or none. */
export function BuildImageSelect({ value, onChange, ...look }: BuildImageSelectProps) {
  const query = { type: 'BUILD' as const, teamId: useTeamId() }
  const all = useRead(buildImages.list, { query: { ...query, pageSize: -1 } }, { enabled: value !== undefined })
  const known = all.data?.items.find(({ id }) => id === value)
  return (
    <RemoteSelect
      clearable
      endpoint={buildImages.list}
      input={{ query }}
      pageSize={20}
      option={(one) => ({ value: one.id, label: `${one.name} · ${one.image}` })}
      {...(value === undefined ? {} : { value })}
      {...(known ? { valueLabel: known.name } : {})}
      onChange={onChange}
      {...look}
    />
  )
}
