import { useUrlState } from '../../../ui/table/url-state.ts'

/** The team that the address asks for by `?team_id`, which is not switched to; nothing where it names none. */
export function useAskedTeam(): number | undefined {
  const [{ team_id: asked }] = useUrlState({ team_id: '' })
  return /^[1-9]\d{0,8}$/.test(asked) ? Number(asked) : undefined
}
