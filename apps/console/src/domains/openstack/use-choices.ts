import { openstack } from '@gantry/contract/openstack/openstack'
import { useRead } from '../../api/hooks.ts'

/** The choices for a zone, read from OpenStack; by default those of the connection's own project. */
export function useChoices(env: string, uuid: string | undefined, project: string | undefined) {
  const of = (wanted: string | undefined) => ({
    params: { env, uuid: uuid ?? '' },
    query: { ...(wanted !== undefined && { project: wanted }) },
  })
  const options = { enabled: uuid !== undefined, keep: false, staleMs: 60_000 }
  const first = useRead(openstack.choices, of(undefined), options)
  const own = first.data?.project
  const other = project !== undefined && own !== undefined && project !== own
  const chosen = useRead(openstack.choices, of(project), { ...options, enabled: options.enabled && other })
  return {
    /** The connection's own project. */
    own,
    projects: first.data?.projects ?? [],
    of: other ? chosen.data : first.data,
    waiting: first.isFetching || (other && chosen.isFetching),
    error: first.error ?? (other ? chosen.error : null),
    again: () => void (other && !first.error ? chosen : first).refetch(),
  }
}

export type ChoicesRead = ReturnType<typeof useChoices>
