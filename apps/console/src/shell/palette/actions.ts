import type { PermissionKey } from '@gantry/contract/permission-keys.gen'
import type { SearchHit } from '@gantry/contract/search/search'
import { language, switchLanguage, t, type PhraseKey } from '../../api/language.ts'
import { useHolds, useSigned, useUser } from '../../api/session.ts'
import { chooseTheme, useDark } from '../../ui/theme/dark.ts'
import type { IconName } from '../../ui/icon.tsx'
import { to, useGo, type To } from '../../ui/link.tsx'
import { titleOf } from '../app-route.ts'
import { manual } from '../bars/top-bar.tsx'
import { logOut } from '../leave.ts'
import { keyOf, noteOpened, placeOf } from './things.ts'

/** An action in the search. */
export interface Found {
  key: string
  icon: IconName
  title: string
  where: string
  run: () => void
}

interface Creation {
  label: PhraseKey
  icon: IconName
  /** The action's own screen, or the list whose dialog opens. */
  at: To
  /** The permission that it needs; absent: for administrators. */
  needs?: PermissionKey
}

const creating = { do: 'create' }
const creations: readonly Creation[] = [
  { label: 'pipelines-ui-create', icon: 'pipeline', at: to('cd-create'), needs: 'pipeline_pipeline_create' },
  {
    label: 'products-ui-create',
    icon: 'product',
    at: to('personal-products', {}, creating),
    needs: 'product_product_create',
  },
  { label: 'stacks-ui-create', icon: 'app', at: to('app-list', {}, creating), needs: 'stack_stack_create' },
  {
    label: 'dockerfiles-ui-create',
    icon: 'docker',
    at: to('team-dockerfiles', {}, creating),
    needs: 'pipeline_dockerfile_create',
  },
  {
    label: 'config-ui-project-create',
    icon: 'config',
    at: to('config-manage', {}, creating),
    needs: 'config_project_edit',
  },
  { label: 'teams-ui-add', icon: 'team', at: to('team-members', {}, creating), needs: 'team_member_create' },
  { label: 'teams-ui-role-create', icon: 'shield', at: to('team-roles', {}, creating), needs: 'team_role_create' },
  { label: 'tokens-ui-create', icon: 'key', at: to('team-tokens', {}, creating), needs: 'team_token_create' },
  { label: 'users-ui-create', icon: 'user', at: to('sys-users', {}, creating) },
  { label: 'teams-ui-create', icon: 'team', at: to('sys-teams', {}, creating) },
]

/** Whether the user may do something here: viewing as a role, nothing can be changed. */
function useMayDo(): (needs: PermissionKey | undefined) => boolean {
  const may = useHolds()
  const { admin, viewAs } = useUser()
  return (needs) => viewAs === null && (needs === undefined ? admin : may(needs))
}

/** Actions that need no object. */
export function useActions(): Found[] {
  const go = useGo()
  const dark = useDark()
  const user = useUser()
  const teamId = useSigned()?.teamId
  const mayDo = useMayDo()
  return [
    ...creations
      .filter(({ needs }) => mayDo(needs))
      .map(({ label, icon, at }) => ({
        key: label,
        icon,
        title: t(label),
        where: titleOf(at.name),
        run: () => go(at),
      })),
    ...user.teams
      .filter(({ id }) => id !== teamId)
      .map(({ id, name }) => ({
        key: `switch-${id}`,
        icon: 'team' as const,
        title: t('search-do-team', { name }),
        where: '',
        run: () => go(to('new-dashboard', { team_id: id })),
      })),
    {
      key: 'theme',
      icon: dark ? 'sun' : 'moon',
      title: t(dark ? 'shell-theme-light' : 'shell-theme-dark'),
      where: t('shell-theme'),
      run: () => chooseTheme(dark ? 'light' : 'dark'),
    },
    {
      key: 'language',
      icon: 'language',
      title: language === 'en' ? '中文' : 'English',
      where: t('shell-language'),
      run: switchLanguage,
    },
    { key: 'manual', icon: 'docs', title: t('shell-manual'), where: '', run: () => void open(manual) },
    { key: 'logout', icon: 'logout', title: t('shell-logout'), where: '', run: () => void logOut() },
  ]
}

type Verb = 'search-do-run' | 'search-do-confirm' | 'search-do-roll-back' | 'search-do-add-service'

interface Act {
  verb: Verb
  icon: IconName
  needs: PermissionKey
  at: To
}

/** The actions on a hit: its screen opens, and asks for a confirmation. */
function actsOf(hit: SearchHit): Act[] {
  const asking = (what: string): To => ({ ...placeOf(hit), search: { do: what } })
  if (hit.kind === 'pipeline')
    return [{ verb: 'search-do-run', icon: 'play', needs: 'pipeline_build_execute', at: asking('run') }]
  if (hit.kind === 'stack') {
    const at = to('service-add', { env_id: hit.place.envId, stack_name: hit.name, stack_id: hit.uuid })
    return [{ verb: 'search-do-add-service', icon: 'add', needs: 'stack_service_create', at }]
  }
  if (hit.kind !== 'service' || hit.state !== 'upgraded') return []
  const needs = 'stack_service_operate'
  return [
    { verb: 'search-do-confirm', icon: 'check', needs, at: asking('confirm') },
    { verb: 'search-do-roll-back', icon: 'rollback', needs, at: asking('rollBack') },
  ]
}

/** Only for hits of the open team, because permissions in others are unknown here. */
export function useActsOn(): (hit: SearchHit) => Found[] {
  const go = useGo()
  const user = useUser()
  const teamId = useSigned()?.teamId
  const mayDo = useMayDo()
  return (hit) =>
    actsOf(hit)
      .filter(({ needs }) => mayDo(needs) && (user.admin || hit.team?.id === teamId))
      .map(({ verb, icon, at }) => ({
        key: `${verb}-${keyOf(hit)}`,
        icon,
        title: t(verb, { name: hit.name }),
        where: t(`search-kind-${hit.kind}`),
        run: () => {
          noteOpened(user.id, hit)
          go(at)
        },
      }))
}

const verbs: readonly Verb[] = ['search-do-run', 'search-do-confirm', 'search-do-roll-back', 'search-do-add-service']

/** Whether a text begins with a word, followed by a boundary unless its script has no spaces between words. */
function startsWith(text: string, word: string): boolean {
  if (!text.toLowerCase().startsWith(word.toLowerCase())) return false
  return /[^\p{ASCII}]$/u.test(word) || /^(\s|$)/.test(text.slice(word.length))
}

/** The name in `run web shop`: what to search for. Without a verb, or without text after it, the whole text. */
export function nameIn(text: string): string {
  for (const verb of verbs) {
    const [first = '', ...more] = t(verb, { name: '' }).trim().split(' ')
    if (!startsWith(text, first)) continue
    let rest = text.slice(first.length).trim()
    for (const word of more) if (startsWith(rest, word)) rest = rest.slice(word.length).trim()
    return rest || text
  }
  return text
}
